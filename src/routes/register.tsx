// /register: a new account.
import { createFileRoute, Link } from '@tanstack/react-router'
import * as v from 'valibot'
import { SignUpForm } from '#src/features/sessions/sign-up-form.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { text } from '#src/lib/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/register')({
  staticData: { access: 'guest', layout: 'simple', title: text.session.signUpTitle },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  component: Register,
})

function Register() {
  const { to } = Route.useSearch()
  return (
    <SimpleCard
      title={text.session.signUpTitle}
      foot={
        <>
          <p className="mb-3 text-soft">{text.session.haveAccount}</p>
          <Link to="/login" search={{ to }} className={buttonClass('quiet', 'normal', true)}>
            {text.session.signIn}
          </Link>
        </>
      }
    >
      <SignUpForm />
    </SimpleCard>
  )
}
