// /register: a new account.
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { SignUpForm } from '#src/features/accounts/sign-up-form.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { useRegistrationState } from '#src/features/accounts/registration-state.ts'
import { registration, typedRegistration } from '#src/features/accounts/account-steps.ts'
import { linkSecret } from '#src/domain/session/link-secret.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { sessionText } from '#src/domain/session/text.ts'

export const Route = createFileRoute('/register/')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'guest', layout: 'simple', title: '新規登録', secret: 'todoke.invite' },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  loader: () => linkSecret('todoke.invite').read()?.['invite'],
  component: Register,
})

function Register() {
  const { to } = Route.useSearch()
  const invite = Route.useLoaderData()
  const navigate = useNavigate()
  const state = useRegistrationState()
  const closed = state === 'closed' || state === 'full' ? accountText.register.closed[state] : undefined
  return (
    <SimpleCard title={closed?.title ?? sessionText.signUpTitle} foot={<SignIn to={to} />}>
      {state === undefined ? (
        <Spinner />
      ) : closed ? (
        <>
          <p>{closed.text}</p>
          <p className="mt-3 text-soft">{accountText.register.signInStill}</p>
        </>
      ) : (
        <SignUpForm
          typed={typedRegistration.read()}
          invite={{ isNeeded: state === 'invite', given: invite }}
          consent={<Consent />}
          onAsked={async (reply, typed) => {
            typedRegistration.save(typed)
            // What was typed has the code.
            linkSecret('todoke.invite').remove()
            registration.save({ ...reply, email: typed.email, to, sentAt: Date.now() })
            await navigate({ to: '/register/send-mail' })
          }}
        />
      )}
    </SimpleCard>
  )
}

function SignIn({ to }: { to: string | undefined }) {
  return (
    <>
      <p className="mb-3 text-soft">{sessionText.haveAccount}</p>
      <Link to="/login" search={{ to }} className={buttonClass('quiet', 'normal', true)}>
        {sessionText.signIn}
      </Link>
    </>
  )
}

/** The links open beside the form: what was typed stays. */
function Consent() {
  const { terms, and, privacy, agree } = accountText.register.consent
  return (
    <>
      <Link
        to="/settings/terms-of-service"
        target="_blank"
        className="underline underline-offset-4 hover:text-soft"
      >
        {terms}
      </Link>
      {and}
      <Link
        to="/settings/privacy-policy"
        target="_blank"
        className="underline underline-offset-4 hover:text-soft"
      >
        {privacy}
      </Link>
      {agree}
    </>
  )
}
