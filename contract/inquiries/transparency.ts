// The numbers of the transparency page, by quarter.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { holdReasons } from '#contract/moderation/hold-names.ts'
import { measureKinds } from '#contract/moderation/measures.ts'
import { reportReasons } from '#contract/posts/reports.ts'
import { inquiryKinds, inquiryOutcomes } from './states.ts'

/** Counts of 1 to 4 are not published: with other knowledge they could identify a person. */
export const FEW = 5
const count = v.union([v.number(), v.literal('few')])
export type PublicCount = v.InferOutput<typeof count>

/** Share of inquiries decided in time, and days until the decision. Contact and withdrawn inquiries do not count. */
const speed = v.object({
  median_days: v.number(),
  p90_days: v.number(),
  /** Of those decided in the quarter, 0 to 1. */
  within_due: v.number(),
})

const of = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  v.record(v.picklist(names), count)

const quarter = v.object({
  /** `2026-Q4`, by the calendar of Asia/Tokyo. */
  name: v.string(),
  /** Reports of members. */
  reports: of(reportReasons),
  decisions: of(['acted', 'dismissed', 'undone']),
  measures: of(measureKinds),
  appeals: of(['sent', 'upheld', 'granted']),
  inquiries: of(inquiryKinds),
  outcomes: v.record(v.picklist(inquiryKinds), of(inquiryOutcomes)),
  /** Null with fewer than 5 decided claims. */
  speed: v.nullable(speed),
  /** Different accounts that were suspended. */
  suspended: count,
  /** Exports for an authority. */
  authorities: count,
  /** Posts and comments that a rule of the operator held, by its reason. Words of a person's own list do not count. */
  holds: of(holdReasons),
  /** How these holds ended in the quarter. One that a granted appeal shows ends again. */
  hold_ends: of(['approved', 'removed', 'withdrawn']),
  /** Decisions without a person: there are none. */
  automatic: count,
})
export type Quarter = v.InferOutput<typeof quarter>

/** Numbers of all quarters with data, the latest first; counted once an hour. */
export const getTransparency = endpoint({
  name: 'getTransparency',
  method: 'GET',
  path: '/transparency',
  audience: 'open',
  summary: '透明性レポートの数値',
  reply: v.object({ quarters: v.array(quarter) }),
  errors: [],
})
