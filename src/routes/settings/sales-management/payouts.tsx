// /settings/sales-management/payouts: payouts of a creator's balance.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { payoutsQuery } from '#src/features/payouts/payouts.ts'
import { PayoutsPage } from '#src/features/payouts/payouts-page.tsx'
import { SalesSkeleton } from '#src/features/sales/sales-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export const Route = createFileRoute('/settings/sales-management/payouts')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '振込' },
  loader: ({ context: { queryClient } }) => queryClient.fetchQuery(payoutsQuery),
  pendingComponent: SalesSkeleton,
  errorComponent: Failed,
  component: PayoutsPage,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
