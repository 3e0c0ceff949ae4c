// The numbers of the transparency page, of counts by quarter. Pure.
import { inquiryKinds, inquiryOutcomes } from '#contract/inquiries/states.ts'
import { FEW, type PublicCount, type Quarter } from '#contract/inquiries/transparency.ts'
import { holdReasons } from '#contract/moderation/hold-names.ts'
import { measureKinds } from '#contract/moderation/measures.ts'
import { reportReasons } from '#contract/posts/reports.ts'

interface Count {
  readonly quarter: string
  readonly group: string
  readonly name: string
  readonly count: number
}
interface Days {
  readonly quarter: string
  readonly median: number
  readonly p90: number
  readonly within: number
}

/** A count as everyone reads it: from 1 to 4 it is `few`. */
export const publicCount = (count: number): PublicCount => (count > 0 && count < FEW ? 'few' : count)

const round = (days: number): number => Math.round(days * 10) / 10

/** The quarters that have a count, the latest first. A quarter with fewer than 5 decided claims has no speed. */
export function quartersOf(counts: readonly Count[], speeds: readonly Days[]): Quarter[] {
  const names = [...new Set(counts.map((it) => it.quarter))].toSorted().toReversed()
  return names.map((name) => {
    const own = counts.filter((it) => it.quarter === name)
    const numberOf = (group: string, of: string) =>
      own.find((it) => it.group === group && it.name === of)?.count ?? 0
    const table = <const Name extends string>(group: string, all: readonly Name[], before = '') =>
      Object.fromEntries(all.map((it) => [it, publicCount(numberOf(group, before + it))])) as Record<
        Name,
        PublicCount
      >
    const decided = own
      .filter((it) => it.group === 'outcomes' && !/^contact | withdrawn$/.test(it.name))
      .reduce((sum, it) => sum + it.count, 0)
    const days = decided < FEW ? undefined : speeds.find((it) => it.quarter === name)
    return {
      name,
      reports: table('reports', reportReasons),
      decisions: table('decisions', ['acted', 'dismissed', 'undone']),
      measures: table('measures', measureKinds),
      appeals: table('appeals', ['sent', 'upheld', 'granted']),
      inquiries: table('inquiries', inquiryKinds),
      outcomes: Object.fromEntries(
        inquiryKinds.map((kind) => [kind, table('outcomes', inquiryOutcomes, `${kind} `)]),
      ),
      speed: days
        ? { median_days: round(days.median), p90_days: round(days.p90), within_due: days.within }
        : null,
      suspended: publicCount(numberOf('suspended', '')),
      authorities: publicCount(numberOf('authorities', '')),
      holds: table('holds', holdReasons),
      hold_ends: table('hold_ends', ['approved', 'removed', 'withdrawn']),
      automatic: 0,
    }
  })
}
