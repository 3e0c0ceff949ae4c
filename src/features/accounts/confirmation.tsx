// Confirmation: completes a registration after its link was opened.
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import { presentPassword } from '#contract/accounts/password.ts'
import { confirmRegistration } from '#contract/accounts/registration.ts'
import { registration, typedRegistration } from './account-steps.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { signInBy } from '#src/domain/session/session.ts'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { PresentPasswordField } from './present-password-field.tsx'

const words = accountText.confirm

type State =
  | { is: 'confirming' }
  /** Another device than the registering one, which has to enter the password. */
  | { is: 'elsewhere' }
  | { is: 'unusable' }
  /** No reply, or a temporary failure: the same link may work later. */
  | { is: 'failed'; sentence: string | undefined }

/**
 * Confirms the registration and removes its stored data.
 * @returns the path to open, if any
 */
async function confirm(body: BodyOf<typeof confirmRegistration>): Promise<string | undefined> {
  const to = registration.read()?.to
  if (!(await signInBy(confirmRegistration, { body }))) throw new ApiFailure('unreadable', 200)
  for (const it of [registration, typedRegistration, linkSecret('todoke.confirmation')]) it.remove()
  return to
}

export function stateAfter(failure: unknown): State {
  const code = failure instanceof ApiFailure ? failure.code : undefined
  if (code === 'confirm_password') return { is: 'elsewhere' }
  if (code === 'link_invalid' || code === 'invalid') return { is: 'unusable' }
  return { is: 'failed', sentence: refusalOf(failure, []).whole }
}

interface ConfirmationProps {
  token: string
  onConfirmed: (to: string | undefined) => Promise<void>
  /** Shown for an invalid link. */
  unusable: ReactNode
}

export function Confirmation({ token, onConfirmed, unusable }: ConfirmationProps) {
  const [state, setState] = useState<State>({ is: 'confirming' })
  const begun = useRef(false)
  async function submit(): Promise<void> {
    setState({ is: 'confirming' })
    try {
      await onConfirmed(await confirm({ token, claim: registration.read()?.claim }))
    } catch (failure) {
      setState(stateAfter(failure))
    }
  }
  useEffect(() => {
    // Requested once, since the link works once.
    if (begun.current) return
    begun.current = true
    void submit()
  })
  switch (state.is) {
    case 'confirming':
      return (
        <output className="flex items-center gap-3">
          <Spinner />
          {words.working}
        </output>
      )
    case 'elsewhere':
      return (
        <Elsewhere token={token} onConfirmed={onConfirmed} onUnusable={() => setState({ is: 'unusable' })} />
      )
    case 'unusable':
      return unusable
    case 'failed':
      return (
        <div className="flex flex-col gap-4">
          <FormError sentence={state.sentence} />
          <Button look="seal" wide onClick={() => void submit()}>
            {words.retry}
          </Button>
        </div>
      )
    default:
      return state satisfies never
  }
}

function Elsewhere(props: Omit<ConfirmationProps, 'unusable'> & { onUnusable: () => void }) {
  const { token, onConfirmed, onUnusable } = props
  const form = useSchemaForm({
    schema: presentPassword,
    defaults: { password: '' },
    async submit({ password }) {
      try {
        await onConfirmed(await confirm({ token, password }))
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        if (failure.code === 'link_invalid') return onUnusable()
        if (failure.code !== 'wrong_credentials') throw failure
        throw new ApiFailure('invalid', failure.status, { password: 'wrong_password' })
      }
    },
  })
  return (
    <Form {...form.shell} action={words.action} busyLabel={text.working}>
      <p>{words.elsewhere}</p>
      <PresentPasswordField of={form} />
    </Form>
  )
}
