// Which days of analytics are shown, what a reading counts as, and sums.
import type { DayNumbers, Numbers, Readers } from '#contract/analytics/analytics.ts'
import type { PostAccess } from './post-access.ts'
import { dayOf, dayRange } from './money/periods.ts'

const DAY = 24 * 3600_000

/** The last day that has been over for 24 hours. @param now ms since 1970 */
export const lastShownDay = (now: number): string => dayOf(now - 2 * DAY)

/** The shown days of a period, the oldest first. @param count days of the period */
export function shownDays(now: number, count: number): string[] {
  const last = dayRange(lastShownDay(now)).from
  return Array.from({ length: count }, (_, i) => dayOf(last - (count - 1 - i) * DAY))
}

export type ReadingKind = 'view' | 'gate' | 'watched'

/**
 * What a report counts as.
 * @param what what the page reported
 * @param access what the person may see of the post
 * @param hasVideo whether the post has a video
 * @returns undefined where it does not count: a hidden post, one that is only kept for its buyer, one closed for another reason
 *   than a price or plan, or a video that the person cannot have seen
 */
export function readingKind(
  what: 'opened' | 'watched',
  access: PostAccess,
  hasVideo: boolean,
): ReadingKind | undefined {
  if (access.is === 'hidden' || access.is === 'kept') return undefined
  if (access.is === 'full') {
    if (what === 'opened') return 'view'
    return hasVideo ? 'watched' : undefined
  }
  const isGate = access.wants === 'purchase' || access.wants === 'plan'
  return what === 'opened' && isGate ? 'gate' : undefined
}

const none: Readers = { count: 0, is_few: false }

const add = (a: Readers, b: Readers): Readers => ({ count: a.count + b.count, is_few: a.is_few || b.is_few })

/** Adds up days. A part of few readers counts as one, so that the sum says nothing more about it. */
export function totalOf(days: readonly Numbers[]): Numbers {
  return days.reduce<Numbers>(
    (sum, it) => ({
      views: add(sum.views, it.views),
      gates: add(sum.gates, it.gates),
      watched: add(sum.watched, it.watched),
      likes: sum.likes + it.likes,
      comments: sum.comments + it.comments,
      purchases: sum.purchases + it.purchases,
    }),
    { views: none, gates: none, watched: none, likes: 0, comments: 0, purchases: 0 },
  )
}

/** Every day of a period, also those without any number. */
export function filledDays(days: readonly string[], found: readonly DayNumbers[]): DayNumbers[] {
  const byDay = new Map(found.map((it) => [it.day, it]))
  return days.map((day) => byDay.get(day) ?? { day, ...totalOf([]) })
}
