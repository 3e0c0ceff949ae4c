// /forgot-password/step-4: the password is changed; what was ended, and what is left to end.
import { createFileRoute, Link, redirect, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { reviewReset } from '#contract/accounts/reset-review.ts'
import { ResetReview } from '#src/features/accounts/reset-review.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { reset } from '#src/features/accounts/account-steps.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-4')({
  codeSplitGroupings: [['loader', 'component', 'pendingComponent', 'errorComponent']],
  staticData: { access: 'open', layout: 'simple', title: 'パスワードを変更しました' },
  loader: async () => {
    const done = reset.read()
    if (done?.is !== 'done') throw redirect({ to: '/forgot-password/step-1', replace: true })
    const { token, ended } = done
    return { token, ended, left: await leftOf(token) }
  },
  pendingComponent: Pending,
  errorComponent: Failed,
  component: Step4,
})

/** What is left; undefined when the token no longer shows it. */
async function leftOf(token: string) {
  try {
    return await call(reviewReset, { body: { password_reset_token: token } })
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'link_invalid') return undefined
    throw failure
  }
}

function Done({ children }: { children: ReactNode }) {
  return (
    <SimpleCard title={words.doneTitle} foot={null}>
      <p className="mb-6">{words.done}</p>
      <Link to="/login" className={buttonClass('seal', 'normal', true)}>
        {words.toLogin}
      </Link>
      {children}
    </SimpleCard>
  )
}

function Pending() {
  return (
    <Done>
      <output aria-label={text.loading} className="mt-8 flex flex-col gap-3">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-12 w-full" />
      </output>
    </Done>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Done>
      <p className="mt-8">{accountText.review.failed}</p>
      <LoadFailure error={error} onRetry={() => router.invalidate()} />
    </Done>
  )
}

function Step4() {
  const { token, ended, left } = Route.useLoaderData()
  return (
    <Done>
      <ResetReview token={token} ended={ended} left={left} />
    </Done>
  )
}
