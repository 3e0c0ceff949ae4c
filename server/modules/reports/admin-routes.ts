// Route by which an admin reads the messages of a report, after an audit entry.
import type { FastifyInstance } from 'fastify'
import { getReportedMessages, type ReportedMessage } from '#contract/posts/admin-reports.ts'
import type { ReportReason } from '#contract/posts/reports.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { findReportOfMessage, listCopies } from '#server/store/messages/reported.ts'
import { openCopy } from '#server/services/people/sealed-copy.ts'

export function adminReportRoutes(app: FastifyInstance, { db, audit, clock, secrets }: Deps): void {
  memberRoute(app, getReportedMessages, async ({ viewer, params, request }) => {
    const report = await findReportOfMessage(db, params.report_id)
    if (!report) throw new ApiError('not_found')
    validatedOf(viewer, clock())
    if (viewer.id === report.reporterId || viewer.id === report.ownerId) throw new ApiError('forbidden')
    const copies = await listCopies(db, report.id)
    if (copies.length === 0) throw new ApiError('gone')
    const entry = { actorId: viewer.id, act: 'report.read_messages', subjectKind: 'report' } as const
    await audit({ ...entry, subjectId: report.id, ip: request.ip })
    const messages = copies.map(({ seq, senderId, sealed }): ReportedMessage => {
      const { id, content, postId, sentAt } = openCopy(secrets, report.id, seq, sealed)
      const byReporter = senderId !== report.ownerId
      const place = { seq, sender_id: senderId, by_reporter: byReporter }
      return { ...place, is_reported: id === report.targetId, content, post_id: postId, sent_at: sentAt }
    })
    const { reason, detail, createdAt } = report
    return {
      report_id: report.id,
      reason: reason as ReportReason,
      detail,
      created_at: createdAt.toISOString(),
      messages,
    }
  })
}
