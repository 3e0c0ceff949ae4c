// Whether a plan can be joined, and which days its end may be announced for.
import { PLAN_NOTICE_DAYS, PLAN_NOTICE_MAX_DAYS } from '#contract/limits.ts'
import type { PlanState } from '#contract/plans/plans.ts'
import { TOKYO_MS } from './money/periods.ts'

export interface Offer {
  readonly acceptsMembers: boolean
  /** Null without a limit. */
  readonly memberLimit: number | null
  /** Null unless the plan's end was announced. */
  readonly endsAt: Date | null
  /** Members now. */
  readonly members: number
  /** Members of other plans who change to this one with their next charge. Their places are taken. */
  readonly changing: number
  /** Former members who can come back, since a month could not be paid. Their places are taken. */
  readonly returning: number
}

/** The state of a plan at this moment, ms since 1970. */
export function planStateOf(
  { acceptsMembers, memberLimit, endsAt, members, changing, returning }: Offer,
  now: number,
): PlanState {
  if (endsAt !== null) return endsAt.getTime() > now ? 'closing' : 'ended'
  if (!acceptsMembers) return 'paused'
  return memberLimit !== null && members + changing + returning >= memberLimit ? 'full' : 'open'
}

const DAY = 24 * 3600_000

/**
 * The end of a day in Asia/Tokyo, which is the start of the next one.
 * @param day `YYYY-MM-DD`
 * @returns ms since 1970
 */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY - TOKYO_MS
}

/**
 * Why a plan may not end on this day.
 * @param day `YYYY-MM-DD`, in Asia/Tokyo
 * @param hasMembers whether people must know `PLAN_NOTICE_DAYS` before
 * @param now ms since 1970
 */
export function endDayProblem(
  day: string,
  hasMembers: boolean,
  now: number,
): 'too_small' | 'too_large' | undefined {
  const today = Math.floor((now + TOKYO_MS) / DAY)
  const days = Date.parse(`${day}T00:00:00Z`) / DAY - today
  if (days < (hasMembers ? PLAN_NOTICE_DAYS : 0)) return 'too_small'
  return days > PLAN_NOTICE_MAX_DAYS ? 'too_large' : undefined
}
