// Messages copied by a report, for admins. Each reading is in the audit log.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { reportReason } from './reports.ts'

const reportedMessage = v.object({
  /** Place in the conversation. */
  seq: v.number(),
  sender_id: id,
  by_reporter: v.boolean(),
  /** The message that was reported; the others were around it. */
  is_reported: v.boolean(),
  /** Null if it was unsent before the report. */
  content: v.nullable(v.string()),
  /** The post that it carries; null without one. */
  post_id: v.nullable(id),
  sent_at: instant,
})
export type ReportedMessage = v.InferOutput<typeof reportedMessage>

/**
 * The messages of a report, for an admin who has confirmed who they are within the last 10 minutes (`validation_required`).
 * `forbidden`: the admin is one of the two people. `gone`: the copies were removed. Each reading is written to the audit log
 * before the reply.
 */
export const getReportedMessages = endpoint({
  name: 'getReportedMessages',
  method: 'GET',
  path: '/admin/reports/:report_id/messages',
  audience: 'staff:reports',
  summary: '通報されたメッセージ（閲覧は記録されます）',
  params: v.object({ report_id: id }),
  reply: v.object({
    report_id: id,
    reason: reportReason,
    detail: v.string(),
    created_at: instant,
    /** In their order, at most 20. */
    messages: v.array(reportedMessage),
  }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'gone'],
})
