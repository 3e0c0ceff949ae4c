// /forgot-password/step-1: the address that receives a code.
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { requestReset } from '#contract/accounts/password.ts'
import { EmailForm } from '#src/features/accounts/email-form.tsx'
import { StepHead } from '#src/features/accounts/step-head.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { saveResetRequest } from '#src/features/accounts/account-steps.ts'
import { call } from '#src/domain/api/api.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { sessionText } from '#src/domain/session/text.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-1')({
  staticData: { access: 'open', layout: 'simple', title: 'パスワードの再設定' },
  component: Step1,
})

function Step1() {
  const navigate = useNavigate()
  async function send(email: string) {
    saveResetRequest(email, await call(requestReset, { body: { email } }))
    await navigate({ to: '/forgot-password/step-2' })
  }
  return (
    <SimpleCard
      title={words.title}
      foot={
        <Link to="/login" className={linkClass}>
          {words.toLogin}
        </Link>
      }
    >
      <StepHead now={1}>{words.lead}</StepHead>
      <EmailForm label={sessionText.email} action={words.send} autoComplete="username" onSend={send} />
    </SimpleCard>
  )
}
