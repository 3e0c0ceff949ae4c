// Routes of admins for identity checks. Lists, details and actions are in the audit log.
import type { FastifyInstance } from 'fastify'
import {
  approveCheck,
  type CheckDetail,
  type CheckView,
  getCheck,
  listChecks,
  rejectCheck,
  returnCheck,
  takeCheck,
} from '#contract/identity/admin-identity.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { isTakeable, lockedUntil } from '#server/rules/identity.ts'
import { listCheckFiles } from '#server/store/identity/identity.ts'
import {
  type CheckDetail as FoundCheck,
  findCheck,
  listChecksOf,
  type ListedCheck,
} from '#server/store/identity/reviews.ts'
import { fileRoute } from './file.ts'
import { reservedNameRoutes } from './reserved-names.ts'
import { performAction } from './review.ts'
import { shownFiles } from './shown.ts'

const PAGE = 30

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit, clock } = deps

  memberRoute(app, listChecks, async ({ viewer, query, request }) => {
    const filter = { list: query.list, adminId: viewer.id, now: clock() }
    const rows = await listChecksOf(db, filter, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ check }) => ({
      at: check.submittedAt,
      id: check.id,
    }))
    const entry = { actorId: viewer.id, act: 'identity.list', subjectKind: 'identity_list' } as const
    const detail = { list: query.list, checks: shown.map((it) => it.check.id) }
    await audit({ ...entry, subjectId: viewer.id, detail, ip: request.ip })
    return {
      checks: shown.map((listed) => viewOf(listed, viewer.id, clock())),
      next,
    }
  })

  memberRoute(app, getCheck, async ({ viewer, params, request }) => {
    const found = await findCheck(db, params.check_id)
    if (!found) throw new ApiError('not_found')
    const { check } = found
    const entry = { actorId: viewer.id, act: 'identity.read', subjectKind: 'identity_check' } as const
    await audit({ ...entry, subjectId: check.id, ip: request.ip })
    return {
      ...viewOf(found, viewer.id, clock()),
      reason: check.reason,
      note: check.note,
      evidence: check.reviewerId === viewer.id ? await evidenceOf(deps, found, viewer.id) : null,
    }
  })

  memberRoute(app, takeCheck, async ({ viewer, params, request }) => ({
    data: await performAction(deps, params.check_id, { is: 'take', by: viewer.id }, request.ip),
  }))
  memberRoute(app, returnCheck, async ({ viewer, params, request }) => ({
    data: await performAction(deps, params.check_id, { is: 'return', by: viewer.id }, request.ip),
  }))
  memberRoute(app, approveCheck, async ({ viewer, params, body, request }) => {
    const compared = {
      legalName: body.legal_name,
      legalNameKana: body.legal_name_kana,
      birthDate: body.birth_date,
    }
    const action = { is: 'approve', by: viewer.id, compared } as const
    return { data: await performAction(deps, params.check_id, action, request.ip) }
  })
  memberRoute(app, rejectCheck, async ({ viewer, params, body, request }) => ({
    data: await performAction(deps, params.check_id, { is: 'reject', by: viewer.id, ...body }, request.ip),
  }))
  fileRoute(app, deps)
  reservedNameRoutes(app, deps)
}

function viewOf({ check, name, reviewerName }: ListedCheck, adminId: string, now: number): CheckView {
  const { reviewerId } = check
  const until = lockedUntil(check)
  return {
    id: check.id,
    person: { id: check.userId, name },
    state: check.state,
    document_kind: check.documentKind,
    submitted_at: check.submittedAt.toISOString(),
    reviewer: reviewerId === null ? null : { id: reviewerId, name: reviewerName ?? '' },
    taken_until: until !== null && until.getTime() > now ? until.toISOString() : null,
    takeable: check.userId !== adminId && isTakeable(check, now),
    decided_at: check.decidedAt?.toISOString() ?? null,
  }
}

async function evidenceOf(
  { db }: Deps,
  found: FoundCheck,
  adminId: string,
): Promise<CheckDetail['evidence']> {
  const files = await listCheckFiles(db, found.check.id)
  const shown = await shownFiles(db, adminId, files)
  return {
    birth_date: found.birthDate,
    legal_name: found.legalName ?? '',
    legal_name_kana: found.legalNameKana ?? '',
    prompts: found.check.prompts,
    files: files.map(({ id, part, mime, length }) => ({ id, part, mime, length, shown: shown.has(id) })),
  }
}
