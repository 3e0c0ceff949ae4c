// /forgot-password/step-4: the password is changed; what was ended, and what is left to end.
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, use } from 'react'
import { ResetReview } from '#src/features/accounts/reset-review.tsx'
import { SimpleCard } from '#src/features/sessions/simple-card.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { reset } from '#src/features/accounts/account-steps.ts'
import { readLeft } from '#src/features/accounts/reset-left.ts'
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
    // Not awaited: the way on stands at once, and keeps the focus when the rest arrives.
    return { token, ended, reading: readLeft(token) }
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

function Failed({ error }: { error: Error }) {
  const router = useRouter()
  return (
    <>
      <p className="mt-8">{accountText.review.failed}</p>
      <LoadFailure error={error} onRetry={() => router.invalidate()} />
    </>
  )
}

function Review() {
  const { token, ended, reading } = Route.useLoaderData()
  const it = use(reading)
  if (it.is === 'failed') return <Failed error={it.error} />
  return <ResetReview token={token} ended={ended} left={it.left} />
}

function Step4() {
  return (
    <Done>
      <Suspense fallback={<Waiting />}>
        <Review />
      </Suspense>
    </Done>
  )
}
