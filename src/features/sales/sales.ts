// Queries of sales and statements, and the filters in their addresses.
import { API_BASE } from '#contract/paths.ts'
import { getSales, type CsvEncoding, listSalesEntries, SALES_CSV_PATH } from '#contract/sales/sales.ts'
import { type SoldKind } from '#contract/sales/sold-kinds.ts'
import { getStatement, listStatements } from '#contract/sales/statements.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { salesText } from './text.ts'

export interface EntryFilter {
  /** `YYYY-MM` in Asia/Tokyo. */
  readonly month?: string | undefined
  /** `YYYY-MM-DD`. */
  readonly day?: string | undefined
  readonly kind?: SoldKind | undefined
  /** A post or a plan. */
  readonly item?: string | undefined
}

/** The filter without what is not set, as the query of a request. */
export const queryOf = ({ month, day, kind, item }: EntryFilter) => ({
  ...(month !== undefined && { month }),
  ...(day !== undefined && { day }),
  ...(kind !== undefined && { kind }),
  ...(item !== undefined && { item }),
})

export const salesQuery = (month: string | undefined) =>
  queryFor(getSales, { query: month === undefined ? {} : { month } })
export const entriesQuery = (filter: EntryFilter) => pagesFor(listSalesEntries, { query: queryOf(filter) })
export const statementsQuery = queryFor(listStatements, {})
export const statementQuery = (id: string) => queryFor(getStatement, { params: { statement_id: id } })

/** The address of the CSV file of entries. */
export function csvAddress(filter: EntryFilter, encoding: CsvEncoding): string {
  return `${API_BASE}${SALES_CSV_PATH}?${new URLSearchParams({ ...queryOf(filter), encoding })}`
}

/** `2026年3月`. @param it `2026-03` */
export const monthName = (it: string): string => salesText.month(it.slice(0, 4), Number(it.slice(5)))

/** The month that is so many months later. @param month `2026-03` @param by negative for earlier ones */
export function monthAfter(month: string, by: number): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + by))
    .toISOString()
    .slice(0, 7)
}

/** Every month from the first to the last, the latest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let it = last; it >= first; it = monthAfter(it, -1)) months.push(it)
  return months
}

/** Every day of a month, `YYYY-MM-DD`. */
export function daysOf(month: string): string[] {
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return Array.from({ length: days }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
