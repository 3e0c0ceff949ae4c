// /register: a new account.
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { SignUpForm } from '#src/features/sessions/sign-up-form.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { sessionText } from '#src/lib/text-session.ts'

export const Route = createFileRoute('/register/')({
  staticData: { access: 'guest', layout: 'simple', title: '新規登録' },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  component: Register,
})

function Register() {
  const { to } = Route.useSearch()
  const navigate = useNavigate()
  return (
    <SimpleCard
      title={sessionText.signUpTitle}
      foot={
        <>
          <p className="mb-3 text-soft">{sessionText.haveAccount}</p>
          <Link to="/login" search={{ to }} className={buttonClass('quiet', 'normal', true)}>
            {sessionText.signIn}
          </Link>
        </>
      }
    >
      <SignUpForm onAsked={() => void navigate({ to: '/register/send-mail' })} />
    </SimpleCard>
  )
}
