// /forgot-password/step-4: the changed password, with ended and remaining sessions.
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import { type ReactNode, startTransition, Suspense, use, useState } from 'react'
import { ResetReview } from '#src/features/accounts/reset-review.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { reset } from '#src/features/accounts/account-steps.ts'
import { readRemaining, type ResetReading } from '#src/features/accounts/reset-remaining.ts'
import { accountText } from '#src/features/accounts/text.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

const words = accountText.forgot

export const Route = createFileRoute('/forgot-password/step-4')({
  codeSplitGroupings: [['loader', 'component']],
  staticData: { access: 'open', layout: 'simple', title: 'パスワードを変更しました' },
  loader: () => {
    const done = reset.read()
    if (done?.is !== 'done') throw redirect({ to: '/forgot-password/step-1', replace: true })
    const { token, ended } = done
    // Not awaited: the link is shown at once, and keeps the focus when the review arrives.
    return { token, ended, reading: readRemaining(token) }
  },
  component: Step4,
})

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

function Waiting() {
  return (
    <output aria-label={text.loading} className="mt-8 flex flex-col gap-3">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-12 w-full" />
    </output>
  )
}

interface ReviewProps {
  readonly reading: Promise<ResetReading>
  readonly onRetry: () => Promise<unknown>
}

function Review({ reading, onRetry }: ReviewProps) {
  const { token, ended } = Route.useLoaderData()
  const it = use(reading)
  if (it.is === 'read') return <ResetReview token={token} ended={ended} left={it.left} />
  return (
    <>
      <p className="mt-8">{accountText.review.failed}</p>
      <LoadFailure error={it.error} onRetry={onRetry} />
    </>
  )
}

function Step4() {
  const { token, reading: first } = Route.useLoaderData()
  const [reading, setReading] = useState(first)
  function retry() {
    const next = readRemaining(token)
    // What is shown stays until the server has answered.
    startTransition(() => setReading(next))
    return next
  }
  return (
    <Done>
      <Suspense fallback={<Waiting />}>
        <Review reading={reading} onRetry={retry} />
      </Suspense>
    </Done>
  )
}
