// Queries of the purchase history and of receipts.
import { listPaymentFilters, listPayments } from '#contract/payments/history.ts'
import { getReceipt } from '#contract/payments/receipts.ts'
import { listSurplusCharges } from '#contract/payments/surplus.ts'
import { type Caller, pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { purchaseText } from './text.ts'

export interface HistoryFilter {
  /** `YYYY-MM` in Asia/Tokyo. */
  readonly month?: string | undefined
  readonly creator?: string | undefined
}

/** The filter without what is not set, as the query of a request. */
export const queryOf = ({ month, creator }: HistoryFilter) => ({
  ...(month !== undefined && { month }),
  ...(creator !== undefined && { creator }),
})

/** @param caller who reads without a session; undefined for the signed-in person, as below */
export const historyQuery = (filter: HistoryFilter, caller?: Caller) =>
  pagesFor(listPayments, { query: queryOf(filter) }, caller)
export const surplusQuery = (caller?: Caller) => queryFor(listSurplusCharges, {}, caller)
export const filtersQuery = (caller?: Caller) => queryFor(listPaymentFilters, {}, caller)
export const receiptQuery = (paymentId: string, caller?: Caller) =>
  queryFor(getReceipt, { params: { payment_id: paymentId } }, caller)

/** `2026年3月`. @param it `2026-03` */
export const monthName = (it: string): string => purchaseText.month(it.slice(0, 4), Number(it.slice(5)))
