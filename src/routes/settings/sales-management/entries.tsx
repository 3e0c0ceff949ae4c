// /settings/sales-management/entries?month&day&kind&item: single sales and refunds.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { dayText, month } from '#contract/payments/month.ts'
import { soldKinds } from '#contract/sales/sold-kinds.ts'
import { EntriesPage } from '#src/features/sales/entries-page.tsx'
import { entriesQuery, queryOf, salesQuery } from '#src/features/sales/sales.ts'
import { SalesSkeleton } from '#src/features/sales/sales-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchId, searchText } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/settings/sales-management/entries')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '売上の明細' },
  validateSearch: v.object({
    month: v.optional(v.fallback(v.optional(month), undefined)),
    day: v.optional(v.fallback(v.optional(dayText), undefined)),
    kind: searchText,
    item: searchId,
  }),
  loader: async ({ context: { queryClient }, location }) => {
    // The list shows its own states, so that a change of the filters leaves them where they are.
    queryClient.ensureInfiniteQueryData(entriesQuery(location.search)).catch(() => undefined)
    return (await queryClient.ensureQueryData(salesQuery(undefined))).first_month
  },
  pendingComponent: SalesSkeleton,
  errorComponent: Failed,
  component: Entries,
})

function Entries() {
  const { kind: given, ...rest } = Route.useSearch()
  const filter = { ...rest, kind: soldKinds.find((it) => it === given) }
  const first = Route.useLoaderData()
  const navigate = useNavigate()
  return (
    <EntriesPage
      filter={filter}
      first={first}
      onFilter={(next) =>
        void navigate({
          to: '/settings/sales-management/entries',
          search: queryOf(next),
          replace: true,
          resetScroll: false,
        })
      }
      failed={loadFailed}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
