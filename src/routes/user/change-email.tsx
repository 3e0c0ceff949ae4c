// /user/change-email: changes the email address by a code sent to it.
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { requestEmailChange, confirmEmailChange } from '#contract/accounts/email-change.ts'
import { CodeForm } from '#src/features/accounts/code-form.tsx'
import { EmailForm } from '#src/features/accounts/email-form.tsx'
import { Resend } from '#src/features/accounts/resend.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { emailChange } from '#src/features/accounts/account-steps.ts'
import { call } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { requireValidation } from '#src/domain/session/validation.ts'
import { Button } from '#src/ui/button.tsx'
import { Cancel } from './-cancel.tsx'
import { Failed } from './-failed.tsx'
import { useValidated } from './-validated.ts'

const words = accountText.email

export const Route = createFileRoute('/user/change-email')({
  codeSplitGroupings: [['loader', 'component'], ['errorComponent']],
  staticData: { access: 'member', layout: 'simple', title: 'メールアドレスの変更' },
  loader: async () => {
    await requireValidation('/user/change-email')
    return emailChange.read()
  },
  errorComponent: Failed,
  component: ChangeEmail,
})

function ChangeEmail() {
  const request = Route.useLoaderData()
  return (
    <SimpleCard title={words.title} foot={<Cancel />}>
      {request ? <Code request={request} /> : <Address />}
    </SimpleCard>
  )
}

/** Requests an email with a code and shows the field of the code. */
function useRequestCode() {
  const router = useRouter()
  const validated = useValidated('/user/change-email')
  return async (email: string) => {
    if (!(await validated(() => call(requestEmailChange, { body: { email } })))) return
    emailChange.save({ email, sentAt: Date.now() })
    await router.invalidate()
  }
}

function Address() {
  const me = useMember()
  const requestCode = useRequestCode()
  return (
    <>
      <p className="text-sm text-soft">{words.present}</p>
      <p className="mb-5 font-semibold">{me?.email}</p>
      <EmailForm
        label={words.next}
        hint={words.nextHint}
        action={words.send}
        autoComplete="email"
        onSend={requestCode}
      />
    </>
  )
}

function Code({ request }: { request: { email: string; sentAt: number } }) {
  const router = useRouter()
  const requestCode = useRequestCode()
  const { viewer } = Route.useRouteContext()
  async function confirm(code: string) {
    await call(confirmEmailChange, { body: { code } })
    emailChange.remove()
    await viewer.refreshNow()
    await router.navigate({ to: '/user/completed', search: { what: 'email' }, replace: true })
  }
  async function back() {
    emailChange.remove()
    await router.invalidate()
  }
  return (
    <>
      <p className="mb-5">{words.sent(request.email)}</p>
      <CodeForm action={words.change} onCode={confirm} />
      <div className="mt-6 flex flex-col gap-3">
        <Resend sentAt={request.sentAt} onResend={() => requestCode(request.email)} />
        <Button look="quiet" wide onClick={() => void back()}>
          {words.other}
        </Button>
      </div>
    </>
  )
}
