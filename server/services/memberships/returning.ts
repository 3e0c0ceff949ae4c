// Until when a membership that ended unpaid can be continued as it was.
import { endedUnpaid, RETURN_MS } from '#server/rules/money/membership.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'

/** Until when its member can continue a membership that ended unpaid, ms since 1970; undefined for every other one. */
export function returnUntil({ state, endedAt, why, paidUntil }: MembershipRow): number | undefined {
  if (state !== 'ended' || endedAt === null || why === null) return undefined
  const at = endedAt.getTime()
  return endedUnpaid({ at, why }, paidUntil.getTime()) ? at + RETURN_MS : undefined
}

export const canReturn = (row: MembershipRow, now: number): boolean => now < (returnUntil(row) ?? 0)
