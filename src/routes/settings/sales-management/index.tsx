// /settings/sales-management?month: a creator's sales.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { month } from '#contract/payments/month.ts'
import { SalesPage } from '#src/features/sales/sales-page.tsx'
import { salesQuery } from '#src/features/sales/sales.ts'
import { SalesSkeleton } from '#src/features/sales/sales-skeleton.tsx'
import { SellerNotice } from '#src/features/sellers/seller-notice.tsx'
import { ownSellerQuery } from '#src/features/sellers/sellers.ts'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'

export const Route = createFileRoute('/settings/sales-management/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '売上管理' },
  validateSearch: v.object({ month: v.optional(v.fallback(v.optional(month), undefined)) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    await Promise.all([
      queryClient.ensureQueryData(salesQuery(deps.month)),
      queryClient.prefetchQuery(ownSellerQuery),
    ])
  },
  pendingComponent: SalesSkeleton,
  errorComponent: Failed,
  component: Sales,
})

function Sales() {
  const { month: shown } = Route.useSearch()
  const navigate = useNavigate()
  return (
    <>
      <SellerNotice />
      <SalesPage
        month={shown}
        onMonth={(next) =>
          void navigate({
            to: '/settings/sales-management',
            search: { month: next },
            replace: true,
            resetScroll: false,
          })
        }
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
