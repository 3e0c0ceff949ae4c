// /forgot-password/step-3: the new password, with the token of this tab or session (specification section 2).
import { createFileRoute, Link, redirect, useNavigate } from '@tanstack/react-router'
import * as v from 'valibot'
import { resetPassword } from '#contract/accounts/password.ts'
import { repeatPasswordResetToken } from '#contract/rules.ts'
import { NewPasswordForm } from '#src/features/accounts/new-password-form.tsx'
import { StepHead } from '#src/features/accounts/step-head.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { provenReset, reset } from '#src/features/accounts/account-steps.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { accountText } from '#src/features/accounts/text.ts'
import type { ViewerStore } from '#src/domain/session/viewer.ts'
import type { Viewer } from '#src/domain/session/viewer-state.ts'
import { linkClass } from '#src/ui/text/link-class.ts'

const words = accountText.forgot

/** The session's own token has priority over one that this tab received. */
const tokenOf = (seen: Viewer) =>
  (seen.is === 'authenticated' ? seen.user.password_reset_token : undefined) ?? provenReset()

const emailOf = (seen: Viewer) => {
  const stored = reset.read()
  if (seen.is === 'authenticated') return seen.user.email
  return stored?.is === 'proven' ? stored.email : undefined
}

export const Route = createFileRoute('/forgot-password/step-3')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: '新しいパスワード' },
  loader: async ({ context }) => {
    const seen = await context.viewer.checked()
    const token = tokenOf(seen)
    if (token !== undefined) return { token, email: emailOf(seen) }
    throw redirect({
      to: reset.read()?.is === 'done' ? '/forgot-password/step-4' : '/forgot-password/step-1',
      replace: true,
    })
  },
  component: Step3,
})

/** A sentence when the reset is over. */
async function change(viewer: ViewerStore, token: string, password: string): Promise<string | undefined> {
  // Another person may have signed in here, or another reset begun.
  if (!v.is(repeatPasswordResetToken(tokenOf(viewer.get()) ?? ''), token)) return words.over
  try {
    const { ended } = await call(resetPassword, { body: { password_reset_token: token, password } })
    reset.save({ is: 'done', token, ended })
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'link_invalid') return words.over
    throw failure
  }
  // Every session has ended, this browser's too.
  await viewer.refreshNow()
  return undefined
}

function Step3() {
  const { token, email } = Route.useLoaderData()
  const { viewer } = Route.useRouteContext()
  const navigate = useNavigate()
  return (
    <SimpleCard
      title={words.newTitle}
      foot={
        <Link to="/forgot-password/step-1" className={linkClass}>
          {words.again}
        </Link>
      }
    >
      <StepHead now={3}>{words.newHint}</StepHead>
      <NewPasswordForm
        email={email}
        onPassword={async (password) => {
          const over = await change(viewer, token, password)
          if (over !== undefined) return over
          await navigate({ to: '/forgot-password/step-4', replace: true })
          return undefined
        }}
      />
    </SimpleCard>
  )
}
