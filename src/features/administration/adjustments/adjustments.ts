// Queries of adjustments, and how their numbers are typed.
import { searchAdjustments } from '#contract/adjustments/adjustments.ts'
import { listComplimentary } from '#contract/adjustments/complimentary.ts'
import { listFeeRates } from '#contract/adjustments/fee-rates.ts'
import { listSettlements } from '#contract/adjustments/settlements.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const searchQuery = (q: string) => ({ ...queryFor(searchAdjustments, { query: { q } }), staleTime: 0 })
export const ratesQuery = (userId: string) => ({
  ...queryFor(listFeeRates, { params: { user_id: userId } }),
  staleTime: 0,
})
export const complimentaryQuery = (userId: string) => ({
  ...queryFor(listComplimentary, { params: { user_id: userId } }),
  staleTime: 0,
})
export const settlementsQuery = () => ({ ...queryFor(listSettlements, { query: {} }), staleTime: 0 })

/** Digits of either width without separators; undefined for anything else. */
const plain = (typed: string): string => typed.normalize('NFKC').replaceAll(/[,\s円]/g, '')

/** Whole yen as typed; undefined when it is none, or out of range. */
export function yenOf(typed: string, least: number, most: number): number | undefined {
  const digits = plain(typed)
  if (!/^\d{1,9}$/.test(digits)) return undefined
  const amount = Number(digits)
  return amount >= least && amount <= most ? amount : undefined
}

/** Basis points of a percentage with at most two decimals; undefined when it is none, or above 100. */
export function rateOf(typed: string): number | undefined {
  const digits = plain(typed).replace(/%$/, '')
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(digits)) return undefined
  const rate = Math.round(Number(digits) * 100)
  return rate <= 10_000 ? rate : undefined
}
