// /login: the first thing somebody signed out sees, and the way in.
import { createFileRoute, Link } from '@tanstack/react-router'
import * as v from 'valibot'
import { SignInForm } from '#src/features/sessions/sign-in-form.tsx'
import { Welcome } from '#src/features/sessions/welcome.tsx'
import { text } from '#src/lib/text.ts'
import { buttonClass } from '#src/ui/button.tsx'

export const Route = createFileRoute('/login')({
  staticData: { access: 'guest', layout: 'simple', title: text.session.signIn },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  component: Login,
})

function Login() {
  const { to } = Route.useSearch()
  return (
    <Welcome
      title={text.session.signIn}
      foot={
        <>
          <p className="mb-3 text-soft">{text.session.noAccount}</p>
          <Link to="/register" search={{ to }} className={buttonClass('quiet', 'normal', true)}>
            {text.session.signUp}
          </Link>
        </>
      }
    >
      <SignInForm />
    </Welcome>
  )
}
