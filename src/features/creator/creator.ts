// Queries of the creator's page, and how its numbers are written.
import { getAnalytics, getPostAnalytics, type Period, type Readers } from '#contract/analytics/analytics.ts'
import { searchMembers } from '#contract/plans/members.ts'
import { listOwnPlans } from '#contract/plans/plans.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { number } from '#src/lib/format.ts'
import { creatorText as words } from './text.ts'

const daysOf = (period: Period) => ({ days: `${period}` as const })

export const analyticsQuery = (period: Period) => queryFor(getAnalytics, { query: daysOf(period) })
export const postAnalyticsQuery = (postId: string, period: Period) =>
  queryFor(getPostAnalytics, { params: { post_id: postId }, query: daysOf(period) })

export const plansQuery = queryFor(listOwnPlans, {})

export interface MemberFilter {
  readonly q?: string | undefined
  readonly plan?: string | undefined
}

/** The filter without what is not set, as the query of a request. */
export const queryOf = ({ q, plan }: MemberFilter) => ({
  ...(q !== undefined && q !== '' && { q }),
  ...(plan !== undefined && { plan }),
})

export const membersQuery = (filter: MemberFilter) => pagesFor(searchMembers, { query: queryOf(filter) })

/** `12人`, `12人以上` or `5人未満`. */
export function readersText({ count, is_few: isFew }: Readers): string {
  if (!isFew) return words.people(count)
  return count === 1 ? words.few : words.atLeast(count)
}

/** Percent of people at a gate who bought, at most one decimal; undefined without exact numbers. */
export function rateText(gates: Readers, purchases: number): string | undefined {
  if (gates.is_few || gates.count === 0) return undefined
  return number(Math.round(Math.min(1, purchases / gates.count) * 1000) / 10)
}

/** A day of a reply, `YYYY-MM-DD`, as a moment in Asia/Tokyo, ms since 1970. */
export const momentOf = (day: string): number => Date.parse(`${day}T00:00:00+09:00`)
