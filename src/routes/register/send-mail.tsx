// /register/send-mail: a letter is on its way; its link completes the registration.
import { createFileRoute, Link } from '@tanstack/react-router'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { sessionText } from '#src/lib/text-session.ts'

export const Route = createFileRoute('/register/send-mail')({
  staticData: { access: 'open', layout: 'simple', title: sessionText.mailSent },
  component: SendMail,
})

function SendMail() {
  return (
    <SimpleCard
      title={sessionText.mailSent}
      foot={
        <Link to="/login" className={buttonClass('quiet', 'normal', true)}>
          {sessionText.signIn}
        </Link>
      }
    >
      <p>{sessionText.mailSentMore}</p>
    </SimpleCard>
  )
}
