// /login: the first page of a visitor, with the sign-in form.
import { createFileRoute, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as v from 'valibot'
import { SignInForm } from '#src/features/sessions/sign-in-form.tsx'
import { Welcome } from '#src/features/sessions/welcome.tsx'
import { provenReset } from '#src/features/accounts/account-steps.ts'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { sessionText } from '#src/domain/session/text.ts'

// Neither is needed to sign in by a password.
const ParkedPosts = lazyOptional(
  async () => (await import('#src/features/devices/parked-posts.tsx')).ParkedPosts,
)
const PasskeySignIn = lazyOptional(
  async () => (await import('#src/features/passkeys/passkey-sign-in.tsx')).PasskeySignIn,
)

export const Route = createFileRoute('/login')({
  staticData: { access: 'guest', layout: 'simple', title: 'ログイン' },
  validateSearch: v.object({ to: v.optional(v.fallback(v.string(), '/')) }),
  component: Login,
})

function Login() {
  const { to } = Route.useSearch()
  return (
    <Welcome
      title={sessionText.signIn}
      foot={
        <>
          <p className="mb-3 text-soft">{sessionText.noAccount}</p>
          <Link to="/register" search={{ to }} className={buttonClass('quiet', 'normal', true)}>
            {sessionText.signUp}
          </Link>
        </>
      }
    >
      <Suspense>
        <ParkedPosts />
      </Suspense>
      <SignInForm resetToken={provenReset()} />
      <p className="mt-4 text-center">
        <Link to="/forgot-password/step-1" className={linkClass}>
          {accountText.forgot.link}
        </Link>
      </p>
      {/* As high as what comes: nothing moves under a finger. */}
      <Suspense fallback={<div className="h-26" />}>
        <PasskeySignIn />
      </Suspense>
    </Welcome>
  )
}
