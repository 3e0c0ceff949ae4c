// Reports of posts, comments, people and messages, and their result for the reporter.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_REPORT } from '#contract/limits.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'

export const reportKind = v.picklist(['post', 'comment', 'person', 'message'])
export type ReportKind = v.InferOutput<typeof reportKind>

export const reportReasons = [
  'copyright',
  'sexual',
  'harassment',
  'spam',
  'impersonation',
  'minor',
  'privacy',
  'other',
] as const
export const reportReason = v.picklist(reportReasons)
export type ReportReason = v.InferOutput<typeof reportReason>

/** What the reporter sees: open, acted on, or nothing wrong found. The action itself is not shown. */
export const reportState = v.picklist(['open', 'acted', 'dismissed'])
export type ReportState = v.InferOutput<typeof reportState>

export const reportView = v.object({
  id,
  kind: reportKind,
  target_id: id,
  /** The author, by the name at that time. */
  owner_name: v.string(),
  reason: reportReason,
  detail: v.string(),
  state: reportState,
  /** What the operator wrote with the decision; '' before. */
  answer: v.optional(v.string(), ''),
  created_at: instant,
  decided_at: v.nullable(instant),
})
export type ReportView = v.InferOutput<typeof reportView>

export const reportBody = v.object({
  reason: reportReason,
  detail: v.optional(
    v.pipe(
      v.string(),
      v.transform((it) => asLines(it).trim()),
      maxLength(MAX_REPORT),
    ),
    '',
  ),
})

/**
 * Reports what the member can see, once: reported again while it waits, its words change; once it is decided it
 * stays as it is. Own content, and content hidden from the member, is `not_found`. A message can be reported by the two people
 * of its conversation, also for 30 days after a block, after it was unsent, and after the reporter has deleted it.
 */
export const sendReport = endpoint({
  name: 'sendReport',
  method: 'PUT',
  path: '/reports/:kind/:target_id',
  audience: 'member',
  summary: '通報します',
  params: v.object({ kind: reportKind, target_id: id }),
  body: reportBody,
  reply: v.object({ report: reportView, is: v.picklist(['new', 'changed', 'decided']) }),
  errors: ['unauthenticated', 'not_found'],
})

/** The member's own reports, the latest first. */
export const listOwnReports = endpoint({
  name: 'listOwnReports',
  method: 'GET',
  path: '/reports/own',
  audience: 'member',
  summary: '自分の通報',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ reports: v.array(reportView), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})
