// Reviewing identity checks, for admins alone; every act stands in the audit log, in its own transaction.
import type { FastifyInstance } from 'fastify'
import { approveCheck, getCheck, listChecks, rejectCheck, takeCheck } from '#contract/admin-identity.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { writeAudit } from '#server/store/audit.ts'
import { findCheck, listCheckFiles, listChecksIn, type ListedCheck } from '#server/store/identity.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { fileRoute } from './file.ts'
import { reservedNameRoutes } from './reserved-names.ts'
import { review } from './review.ts'

const PAGE = 30

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps

  memberRoute(app, listChecks, async ({ query }) => {
    const rows = await listChecksIn(db, query.state, readCursor(query.cursor), PAGE + 1)
    const shown = rows.slice(0, PAGE)
    const last = rows.length > PAGE ? shown.at(-1) : undefined
    return { checks: shown.map(rowOf), next: last ? cursorAfter(last.check) : null }
  })

  memberRoute(app, getCheck, async ({ viewer, params, request }) => {
    const found = await findCheck(db, params.check_id)
    if (!found) throw new ApiError('not_found')
    const { check } = found
    await writeAudit(
      db,
      {
        actorId: viewer.id,
        act: 'identity.read',
        subjectKind: 'identity_check',
        subjectId: check.id,
        ip: request.ip,
      },
      clock(),
    )
    const files = await listCheckFiles(db, check.id)
    return {
      ...rowOf(found),
      birth_date: found.birthDate,
      legal_name: found.legalName ?? '',
      legal_name_kana: found.legalNameKana ?? '',
      prompts: check.prompts,
      reason: check.reason,
      note: check.note,
      files: files.map(({ id, part, mime, length }) => ({ id, part, mime, length })),
    }
  })

  memberRoute(app, takeCheck, async ({ viewer, params, request }) => ({
    data: await review(deps, params.check_id, { is: 'take', by: viewer.id }, request.ip),
  }))
  memberRoute(app, approveCheck, async ({ viewer, params, request }) => ({
    data: await review(deps, params.check_id, { is: 'approve', by: viewer.id }, request.ip),
  }))
  memberRoute(app, rejectCheck, async ({ viewer, params, body, request }) => ({
    data: await review(deps, params.check_id, { is: 'reject', by: viewer.id, ...body }, request.ip),
  }))
  fileRoute(app, deps)
  reservedNameRoutes(app, deps)
}

function rowOf({ check, name }: ListedCheck) {
  return {
    id: check.id,
    person: { id: check.userId, name },
    state: check.state,
    document_kind: check.documentKind,
    submitted_at: check.submittedAt.toISOString(),
    reviewer_id: check.reviewerId,
    decided_at: check.decidedAt?.toISOString() ?? null,
  }
}
