// /settings/sales-management/statements: a creator's monthly statements.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { StatementsPage } from '#src/features/sales/statements-page.tsx'
import { statementsQuery } from '#src/features/sales/sales.ts'
import { SalesSkeleton } from '#src/features/sales/sales-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export const Route = createFileRoute('/settings/sales-management/statements')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '支払明細書の一覧' },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(statementsQuery),
  pendingComponent: SalesSkeleton,
  errorComponent: Failed,
  component: StatementsPage,
})

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
