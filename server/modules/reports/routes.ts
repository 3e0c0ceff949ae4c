// Routes for sending reports and reading their results.
import type { FastifyInstance } from 'fastify'
import { newId } from '#contract/ids.ts'
import { listOwnReports, type ReportReason, type ReportView, sendReport } from '#contract/posts/reports.ts'
import { listReportableMessages } from '#contract/messages/reportable.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { fileReport, listReportsBy, type ReportRow } from '#server/store/reactions/reports.ts'
import { adminReportRoutes } from './admin-routes.ts'
import { copiesAround, reportableOf } from '#server/services/moderation/reported-message.ts'
import { findTarget } from './target.ts'

const PAGE = 20

export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps

  memberRoute(
    app,
    sendReport,
    async ({ viewer, params, body }) => {
      const { kind, target_id } = params
      const target = await findTarget(deps, viewer, kind, target_id)
      if (!target) throw new ApiError('not_found')
      const id = newId()
      const copies = kind === 'message' ? await copyMessages(deps, viewer.id, target_id, id) : []
      const place = { id, reporterId: viewer.id, targetKind: kind, targetId: target_id }
      const { row, is } = await fileReport(db, { ...place, ...target, ...body, copies }, clock())
      return { report: reportView(row), is }
    },
    { rateLimit: perPerson(settings.limits.reports) },
  )

  memberRoute(app, listReportableMessages, ({ viewer, params }) =>
    reportableOf(deps, viewer.id, params.user_id),
  )

  adminReportRoutes(app, deps)

  memberRoute(app, listOwnReports, async ({ viewer, query }) => {
    const rows = await listReportsBy(db, viewer.id, { after: timeCursor.read(query.cursor), limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ createdAt: at, id }) => ({ at, id }))
    return { reports: shown.map(reportView), next }
  })
}

/** @throws RateLimited when the member has reported as many messages as one may in a day */
async function copyMessages(deps: Deps, viewerId: string, messageId: string, reportId: string) {
  const { max, timeWindow } = deps.settings.limits.messageReports
  const { current, ttl } = await deps.counts.add(`message reports ${viewerId}`, timeWindow)
  if (current > max) throw new RateLimited(ttl)
  return copiesAround(deps, viewerId, messageId, reportId)
}

function reportView(row: ReportRow): ReportView {
  return {
    id: row.id,
    kind: row.targetKind,
    target_id: row.targetId,
    owner_name: row.quoted['name'] ?? '',
    reason: row.reason as ReportReason,
    detail: row.detail,
    state: row.state,
    answer: row.answer,
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  }
}
