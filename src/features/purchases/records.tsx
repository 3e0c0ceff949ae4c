// Records: purchase history and receipts, for accounts to which nothing else is open.
import { type ReactNode, Suspense, useState } from 'react'
import { PurchaseList } from './purchase-list.tsx'
import { PurchasesSkeleton } from './purchases-skeleton.tsx'
import type { HistoryFilter } from './purchases.ts'
import { ReceiptPage } from './receipt-page.tsx'
import { type RecordsOnly, RecordsOnlyContext } from './records-only.ts'

interface RecordsProps {
  records: RecordsOnly
  /** Of the receipt that is shown; the history without it. */
  paymentId: string | undefined
  /** Renders why the history could not be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

/** Inside a card, whose padding it replaces by that of its rows. */
export function Records({ records, paymentId, failed }: RecordsProps) {
  const [filter, setFilter] = useState<HistoryFilter>({})
  return (
    <RecordsOnlyContext value={records}>
      <div className="-mx-4 rail:-mx-6">
        {paymentId === undefined ? (
          <PurchaseList filter={filter} onFilter={setFilter} failed={failed} />
        ) : (
          <Suspense fallback={<PurchasesSkeleton />}>
            <ReceiptPage key={paymentId} paymentId={paymentId} />
          </Suspense>
        )}
      </div>
    </RecordsOnlyContext>
  )
}
