// Entries of sales as the contract shows them, and the time that a filter means.
import type { EntryCause, SalesEntry } from '#contract/sales/sales.ts'
import { dayRange, monthRange } from '#server/rules/money/periods.ts'
import type { EntryRow } from '#server/store/sales/entries.ts'
import type { Days } from '#server/store/sales/sums.ts'

/** The time of a day or a month; of the day where both are given. */
export function withinOf({
  month,
  day,
}: {
  readonly month?: string | undefined
  readonly day?: string | undefined
}): Days | undefined {
  if (day !== undefined) return dayRange(day)
  return month === undefined ? undefined : monthRange(month)
}

export const entryView = (row: EntryRow): SalesEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  // The list has no others.
  cause: row.cause as EntryCause,
  kind: row.kind,
  item: row.itemId === null || row.title === null ? null : { id: row.itemId, title: row.title },
  amount: row.gross,
  fee: row.fee,
  fee_tax: row.feeTax,
  net: row.net,
  payment_id: row.paymentId,
})
