// Data of emails about measures and appeals.
import type { MeasureKind } from '#contract/moderation/measures.ts'
import type { ReportReason } from '#contract/posts/reports.ts'

/** Instants are milliseconds since 1970. */
export type MeasureEmail =
  /** A measure was taken; `url` of the page by which it can be appealed. */
  | {
      readonly is: 'measure'
      readonly excerpt: string
      readonly rule: ReportReason
      readonly text: string
      readonly measures: readonly { readonly kind: MeasureKind; readonly until: number | null }[]
      readonly url: string
      readonly appealUntil: number
    }
  /** To a suspended person who signed in: `url` of the decision, from which payment records are read. */
  | { readonly is: 'suspension_link'; readonly url: string }
  /** A decision was undone by staff; `url` of the person's decisions. */
  | { readonly is: 'measure_undone'; readonly measures: readonly MeasureKind[]; readonly url: string }
  | { readonly is: 'appeal_answered'; readonly granted: boolean; readonly text: string; readonly url: string }
