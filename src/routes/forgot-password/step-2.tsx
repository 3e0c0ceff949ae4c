// /forgot-password/step-2: the code of the letter.
import { createFileRoute, Link, redirect, useNavigate, useRouter } from '@tanstack/react-router'
import { askReset, checkResetCode } from '#contract/password.ts'
import { CodeForm } from '#src/features/accounts/code-form.tsx'
import { Resend } from '#src/features/accounts/resend.tsx'
import { StepHead } from '#src/features/accounts/step-head.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { reset } from '#src/lib/account-steps.ts'
import { call } from '#src/lib/api.ts'
import { accountText } from '#src/lib/text-account.ts'
import { linkClass } from '#src/ui/link-class.ts'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-2')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'コードの入力' },
  loader: () => {
    const asked = reset.read()
    if (asked?.is !== 'asked') throw redirect({ to: '/forgot-password/step-1', replace: true })
    return asked
  },
  component: Step2,
})

function Step2() {
  const { email, sentAt } = Route.useLoaderData()
  const navigate = useNavigate()
  const router = useRouter()
  async function check(code: string) {
    const { password_reset_token: token } = await call(checkResetCode, { body: { email, code } })
    reset.save({ is: 'proven', email, token })
    await navigate({ to: '/forgot-password/step-3' })
  }
  async function resend() {
    await call(askReset, { body: { email } })
    reset.save({ is: 'asked', email, sentAt: Date.now() })
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
      <CodeForm act={words.check} onCode={check} />
      <div className="mt-6">
        <Resend sentAt={sentAt} onResend={resend} />
      </div>
    </SimpleCard>
  )
}
