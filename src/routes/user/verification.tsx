// /user/verification: verified and missing facts, and the state of the identity check.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { identityQuery } from '#src/features/identity/identity-query.ts'
import { Verification } from '#src/features/identity/verification.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export const Route = createFileRoute('/user/verification')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '本人確認' },
  loader: async ({ context: { queryClient } }) => void (await queryClient.fetchQuery(identityQuery)),
  pendingComponent: Pending,
  errorComponent: Failed,
  component: Page,
})

function Page() {
  const me = useMember()
  return me && <Verification key={me.id} ownerId={me.id} />
}

function Pending() {
  return (
    <div className="mx-auto flex w-full max-w-120 flex-col gap-4 px-4 py-6">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
