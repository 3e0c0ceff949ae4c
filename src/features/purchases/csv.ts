// The rows of the purchase history's CSV file.
import { listPayments, type Purchase } from '#contract/payments/history.ts'
import { call } from '#src/domain/api/api.ts'
import { isoDay } from '#src/lib/format.ts'
import { type HistoryFilter, queryOf } from './purchases.ts'
import { purchaseText } from './text.ts'

const words = purchaseText.csv

/** `2026-03-05` in Asia/Tokyo, which spreadsheets read as a date. */
const dayOf = (at: string): string => isoDay(Date.parse(at))

export function rowsOf(purchases: readonly Purchase[]): string[][] {
  const rows = purchases.map((it) => [
    dayOf(it.paid_at),
    purchaseText.kinds[it.kind],
    it.creator.name,
    String(it.amount),
    purchaseText.states[it.state],
    it.refunded_at === null ? '' : dayOf(it.refunded_at),
    String(it.refunded_amount),
    it.receipt ? words.issued : words.notIssued,
    it.id,
    it.kind === 'post' ? (it.title ?? '') : '',
  ])
  return [[...words.head], ...rows]
}

/**
 * Reads every page of the filtered history. The device makes the file, since the words of the cells are those of the screen.
 * @param read calls as the person of the history
 * @throws ApiFailure
 */
export async function readAll(filter: HistoryFilter, read = call): Promise<Purchase[]> {
  const all: Purchase[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...queryOf(filter), ...(cursor !== undefined && { cursor }) }
    const page = await read(listPayments, { query })
    all.push(...page.payments)
    cursor = page.next
  }
  return all
}
