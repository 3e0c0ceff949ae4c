// /purchase-history/receipt?id: the receipt of a purchase, for printing.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { ReceiptPage, UnknownPurchase } from '#src/features/purchases/receipt-page.tsx'
import { receiptQuery } from '#src/features/purchases/purchases.ts'
import { PurchasesSkeleton } from '#src/features/purchases/purchases-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/purchase-history/receipt')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '領収書' },
  validateSearch: v.object({ id: searchId }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    if (deps.id !== undefined) await queryClient.fetchQuery(receiptQuery(deps.id))
  },
  pendingComponent: PurchasesSkeleton,
  errorComponent: Failed,
  component: Receipt,
})

function Receipt() {
  const { id: paymentId } = Route.useSearch()
  return paymentId === undefined ? <UnknownPurchase /> : <ReceiptPage key={paymentId} paymentId={paymentId} />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <UnknownPurchase />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
