// Routes of sellers: the page for buyers, requests, and the own data.
import type { FastifyInstance } from 'fastify'
import {
  getOwnSeller,
  listSellerRequests,
  putOwnSeller,
  type ReceivedRequest,
  removeOwnSeller,
} from '#contract/sellers/own-seller.ts'
import { getSeller, requestSeller } from '#contract/sellers/sellers.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { personView } from '#server/services/people/person-view.ts'
import { findPeople } from '#server/store/people/people.ts'
import { listReceived, type RequestRow } from '#server/store/sellers/requests.ts'
import { dropSeller, ownSellerOf, storeSeller } from './own-seller.ts'
import { takeRequest } from './request.ts'
import { sellerPageOf } from './seller-page.ts'

/** Requests of one page. */
const PAGE = 20

export function sellerRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, getSeller, ({ viewer, params }) => sellerPageOf(deps, viewer, params.user_id))
  memberRoute(app, requestSeller, async ({ viewer, params, body }) => {
    await takeRequest(deps, viewer, params.user_id, body.reason)
    return sellerPageOf(deps, viewer, params.user_id)
  })
  ownRoutes(app, deps)
}

function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const options = { rateLimit: perPerson(deps.settings.limits.sellers) }
  memberRoute(app, getOwnSeller, ({ viewer }) => ownSellerOf(deps, viewer))
  memberRoute(
    app,
    putOwnSeller,
    async ({ viewer, body }) => {
      await storeSeller(deps, viewer, body)
      return ownSellerOf(deps, viewer)
    },
    options,
  )
  memberRoute(
    app,
    removeOwnSeller,
    async ({ viewer }) => {
      await dropSeller(deps, viewer)
      return ownSellerOf(deps, viewer)
    },
    options,
  )
  memberRoute(app, listSellerRequests, async ({ viewer, query }) => {
    const after = timeCursor.read(query.cursor)
    const rows = await listReceived(deps.db, viewer.id, { after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ requestedAt: at, id }) => ({ at, id }))
    return { requests: await receivedOf(deps, shown), next }
  })
}

async function receivedOf({ db }: Deps, rows: readonly RequestRow[]): Promise<ReceivedRequest[]> {
  const people = await findPeople(
    db,
    rows.flatMap((it) => it.requesterId ?? []),
  )
  return rows.map((it) => {
    const requester = it.requesterId === null ? undefined : people.get(it.requesterId)
    return {
      id: it.id,
      requester: requester ? personView(requester) : null,
      requested_at: it.requestedAt.toISOString(),
      answered_at: it.answeredAt?.toISOString() ?? null,
      answer: it.answer,
    }
  })
}
