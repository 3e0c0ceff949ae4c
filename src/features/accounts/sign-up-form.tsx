// SignUpForm: email, password, name, birth date and consent.
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { register } from '#contract/accounts/registration.ts'
import { signUpBody } from '#contract/accounts/sign-in.ts'
import { call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm, type SchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { sessionText as words } from '#src/domain/session/text.ts'
import { Check } from '#src/ui/fields/check.tsx'
import { DateField } from '#src/ui/fields/date-field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { NewPasswordField } from './new-password-field.tsx'

const thisYear = new Date().getFullYear()

/** Values that are restored into the form. */
export interface Typed {
  readonly email: string
  readonly name: string
  readonly birth_date: string
  /** The code of an invitation; '' without one. */
  readonly invite: string
}

interface SignUpFormProps {
  typed: Typed | undefined
  /** Whether a code is needed, and the one of the link. */
  invite: { readonly isNeeded: boolean; readonly given: string | undefined }
  /** The sentence of consent, with its links. */
  consent: ReactNode
  onAsked: (reply: ReplyOf<typeof register>, typed: Typed) => Promise<void>
}

export function SignUpForm({ typed, invite, consent, onAsked }: SignUpFormProps) {
  const form = useSchemaForm({
    schema: signUpBody,
    defaults: {
      email: typed?.email ?? '',
      password: '',
      name: typed?.name ?? '',
      birth_date: typed?.birth_date ?? '',
      terms: false,
      invite: invite.given ?? typed?.invite ?? '',
    },
    submit: async (body) => {
      const { email, name, birth_date } = body
      const typedNow = { email, name, birth_date, invite: body.invite ?? '' }
      await onAsked(await call(register, { body }), typedNow)
    },
  })
  useLateInvite(invite.given, (code) => form.api.setFieldValue('invite', code))
  return (
    <Form {...form.shell} action={words.signUpAct} busyLabel={text.working}>
      {invite.isNeeded && (
        <FormField of={form} name="invite">
          {({ value, error, input }) => (
            <TextField
              {...input}
              label={accountText.register.invite}
              hint={accountText.register.inviteHint}
              error={error && inviteSentence(value)}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
          )}
        </FormField>
      )}
      <FormField of={form} name="email">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.email}
            hint={accountText.register.emailHint}
            error={error}
            type="email"
            inputMode="email"
            autoComplete="username"
          />
        )}
      </FormField>
      <NewPasswordField of={form} name="password" label={words.password} />
      <Person form={form} />
      <FormField of={form} name="terms">
        {({ value, error, onChange, onBlur }) => (
          <Check label={consent} checked={value} error={error} onChange={onChange} onBlur={onBlur} />
        )}
      </FormField>
    </Form>
  )
}

/** A link that is opened while the form is open fills in its code. */
function useLateInvite(given: string | undefined, fill: (code: string) => void): void {
  const onGiven = useEffectEvent(fill)
  useEffect(() => {
    if (given !== undefined) onGiven(given)
  }, [given])
}

/** Codes are refused for one reason, so that a guess learns nothing; an empty field has its own sentence. */
const inviteSentence = (typed: string): string =>
  typed.trim() === '' ? accountText.register.inviteRequired : accountText.register.inviteUnusable

type PersonValues = Record<'email' | 'password' | 'name' | 'birth_date' | 'invite', string> & {
  terms: boolean
}

function Person({ form }: { form: SchemaForm<PersonValues> }) {
  return (
    <>
      <FormField of={form} name="name">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.name}
            hint={words.nameHint}
            error={error}
            autoComplete="nickname"
          />
        )}
      </FormField>
      <FormField of={form} name="birth_date">
        {({ value, error, onChange, onBlur }) => (
          <DateField
            label={words.birth}
            hint={words.birthHint}
            error={error}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            years={{ from: thisYear - 110, to: thisYear - MIN_AGE }}
            words={{ year: words.year, month: words.month, day: words.day }}
            autoComplete="bday"
          />
        )}
      </FormField>
    </>
  )
}
