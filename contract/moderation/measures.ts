// Measures: what staff can do about reported content and its author.
import type { ReportKind } from '#contract/posts/reports.ts'

/**
 * Of content. `hide`: seen by staff alone until the decision is undone. `remove`: as `hide`, and deleted for good 30 days later.
 * `age_limit`: shown to adults who chose to see such posts.
 */
export const contentMeasures = ['hide', 'remove', 'age_limit'] as const
/**
 * Of a person. `warn`: a text. `limit`: they and their posts are in no search, suggestion or list of new posts. `suspend`: no
 * sign-in, and others see neither the person nor their content.
 */
export const personMeasures = ['warn', 'limit', 'suspend'] as const
export const measureKinds = [...contentMeasures, ...personMeasures] as const

export type ContentMeasure = (typeof contentMeasures)[number]
export type PersonMeasure = (typeof personMeasures)[number]
export type MeasureKind = (typeof measureKinds)[number]

/**
 * The measures about each kind of content. Messages have none: only two people see them, and the recipient can delete and
 * block. A profile is its person.
 */
export const contentMeasuresOf: Readonly<Record<ReportKind, readonly ContentMeasure[]>> = {
  post: contentMeasures,
  comment: ['hide', 'remove'],
  person: [],
  message: [],
}

/** Measures of a person that can end by themselves. */
export const timedMeasures = ['limit', 'suspend'] as const satisfies readonly PersonMeasure[]
/** Days that staff can choose; without a number the measure has no end. */
export const measureDays = [1, 3, 7, 14, 30, 90] as const

const DAY = 24 * 3600_000
/** How long after a decision its person may appeal, ms. */
export const APPEAL_MS = 14 * DAY
/** How long a case is locked for the one who took it, ms. */
export const CASE_LOCK_MS = 15 * 60_000

/** Longest text of a decision, and of an appeal, in grapheme clusters. */
export const MAX_DECISION_TEXT = 2000
export const MAX_APPEAL_TEXT = 2000
/** Longest note of a decision for other staff, grapheme clusters. */
export const MAX_CASE_NOTE = 1000

/** Of which text a template is: to the author, to the reporters, the answer to an appeal, to the sender of an inquiry, or with a rejected identity check. */
export const templateUses = ['person', 'reporters', 'appeal', 'sender', 'identity'] as const
export const MAX_TEMPLATE_NAME = 50
