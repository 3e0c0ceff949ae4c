// /forgot-password/step-2: the code of the email.
import { createFileRoute, Link, redirect, useNavigate, useRouter } from '@tanstack/react-router'
import { requestReset, checkResetCode } from '#contract/accounts/password.ts'
import { CodeForm } from '#src/features/accounts/code-form.tsx'
import { Resend } from '#src/features/accounts/resend.tsx'
import { StepHead } from '#src/features/accounts/step-head.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { reset, saveResetRequest } from '#src/features/accounts/account-steps.ts'
import { call } from '#src/domain/api/api.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-2')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'コードの入力' },
  loader: () => {
    const request = reset.read()
    if (request?.is !== 'asked') throw redirect({ to: '/forgot-password/step-1', replace: true })
    return request
  },
  component: Step2,
})

function Step2() {
  const { email, requestId, sentAt, pause } = Route.useLoaderData()
  const navigate = useNavigate()
  const router = useRouter()
  async function check(code: string) {
    const { password_reset_token: token } = await call(checkResetCode, {
      body: { request_id: requestId, code },
    })
    reset.save({ is: 'proven', email, token })
    await navigate({ to: '/forgot-password/step-3' })
  }
  async function resend() {
    saveResetRequest(email, await call(requestReset, { body: { email } }))
    await router.invalidate()
  }
  return (
    <SimpleCard
      title={words.codeTitle}
      foot={
        <Link to="/forgot-password/step-1" className={linkClass}>
          {words.other}
        </Link>
      }
    >
      <StepHead now={2}>{words.sent(email)}</StepHead>
      <CodeForm action={words.check} onCode={check} />
      <div className="mt-6">
        <p className="mb-3 text-sm text-soft">{words.once}</p>
        <Resend sentAt={sentAt} pause={pause} onResend={resend} />
      </div>
    </SimpleCard>
  )
}
