// /register/send-mail: shown after an email whose link completes the registration.
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import { EmailSent } from '#src/features/accounts/email-sent.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { registration } from '#src/features/accounts/account-steps.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/register/send-mail')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '確認のメール' },
  loader: () => {
    const waiting = registration.read()
    if (!waiting) throw redirect({ to: '/register', replace: true })
    return waiting
  },
  component: SendMail,
})

function SendMail() {
  const waiting = Route.useLoaderData()
  return (
    <SimpleCard
      title={waiting.sent ? accountText.register.sentTitle : accountText.register.arrivedTitle}
      foot={
        <Link to="/register" search={{ to: waiting.to }} className={buttonClass('quiet', 'normal', true)}>
          {accountText.register.correct}
        </Link>
      }
    >
      <EmailSent waiting={waiting} />
    </SimpleCard>
  )
}
