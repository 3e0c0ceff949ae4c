// /purchase-history?month&creator: what the person has bought.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { month } from '#contract/payments/month.ts'
import { PurchaseList } from '#src/features/purchases/purchase-list.tsx'
import { filtersQuery, historyQuery, queryOf } from '#src/features/purchases/purchases.ts'
import { PurchasesSkeleton } from '#src/features/purchases/purchases-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/purchase-history/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '購入履歴' },
  validateSearch: v.object({
    month: v.optional(v.fallback(v.optional(month), undefined)),
    creator: searchId,
  }),
  loader: async ({ context: { queryClient }, location }) => {
    // The list shows its own states, so that a change of the filters leaves them where they are.
    queryClient.ensureInfiniteQueryData(historyQuery(location.search)).catch(() => undefined)
    await queryClient.ensureQueryData(filtersQuery())
  },
  pendingComponent: PurchasesSkeleton,
  errorComponent: Failed,
  component: History,
})

function History() {
  const filter = Route.useSearch()
  const navigate = useNavigate()
  return (
    <PurchaseList
      filter={filter}
      onFilter={(next) =>
        void navigate({ to: '/purchase-history', search: queryOf(next), replace: true, resetScroll: false })
      }
      failed={loadFailed}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
