// Routes of admins for requests for sellers' data. Each call is in the audit log.
import type { FastifyInstance } from 'fastify'
import {
  answerSellerRequest,
  listWaitingSellerRequests,
  type WaitingRequest,
} from '#contract/sellers/admin-sellers.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { personView } from '#server/services/people/person-view.ts'
import { wasListed } from '#server/store/audit/entries.ts'
import { findPeople } from '#server/store/people/people.ts'
import { listWaiting, lockRequest, type RequestRow } from '#server/store/sellers/requests.ts'
import { answeringFor, disclose, mediate } from './answer.ts'

/** Requests of one reply. */
const MOST = 100

export function sellerAdminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit, clock } = deps
  memberRoute(app, listWaitingSellerRequests, async ({ viewer, request }) => {
    const rows = await listWaiting(db, MOST + 1)
    const requests = await viewsOf(deps, rows.slice(0, MOST))
    const subject = { subjectKind: 'user', subjectId: viewer.id } as const
    const detail = { requests: requests.map((it) => it.id) }
    await audit({ actorId: viewer.id, act: 'seller_requests.list', ...subject, detail, ip: request.ip })
    return { requests, has_more: rows.length > MOST }
  })
  memberRoute(app, answerSellerRequest, async ({ viewer, params, body, request }) => {
    validatedOf(viewer, clock())
    const id = params.request_id
    await deps.transaction(async (unit) => {
      const row = await lockRequest(unit.tx, id)
      if (!row) throw new ApiError('not_found')
      // Relation, block and reason of the request are what is decided about.
      const read = { actorId: viewer.id, act: 'seller_requests.list', since: row.requestedAt }
      if (!(await wasListed(unit.tx, read, { list: 'requests', thing: id }))) throw new ApiError('unseen')
      const answered =
        body.is === 'disclosed'
          ? await disclose(deps, unit, row, 'operator')
          : await mediate(deps, unit, row, body.note)
      if (!answered) throw new ApiError('conflict')
      const subject = { subjectKind: 'seller_request', subjectId: id } as const
      const detail = { answer: body.is }
      unit.audit({ actorId: viewer.id, act: 'seller_request.answer', ...subject, detail, ip: request.ip })
    })
    return { data: { id } }
  })
}

async function viewsOf({ db }: Deps, rows: readonly RequestRow[]): Promise<WaitingRequest[]> {
  const people = await findPeople(
    db,
    rows.flatMap((it) => [it.creatorId, ...(it.requesterId === null ? [] : [it.requesterId])]),
  )
  const views = rows.map(async (row): Promise<WaitingRequest[]> => {
    const [creator, requester] = [people.get(row.creatorId), people.get(row.requesterId ?? '')]
    if (!creator || !requester) return []
    const { relation, blocked, hasData } = await answeringFor(db, creator.id, requester.id)
    return [
      {
        id: row.id,
        creator: personView(creator),
        requester: personView(requester),
        relation,
        blocked,
        has_data: hasData,
        reason: row.reason,
        requested_at: row.requestedAt.toISOString(),
        due_at: row.dueAt.toISOString(),
      },
    ]
  })
  return (await Promise.all(views)).flat()
}
