// The page of a seller for one viewer: the data, or how to request them.
import type { SellerPage, SellerRequestView } from '#contract/sellers/sellers.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { answeringOf, maySeeSeller, relationOf } from '#server/rules/sellers.ts'
import { personView } from '#server/services/people/person-view.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { shownUntilOf } from '#server/services/sellers/shown.ts'
import { findPeople } from '#server/store/people/people.ts'
import { findLatestRequest, type RequestRow } from '#server/store/sellers/requests.ts'
import { factsBetween, findSeller, type SellerRow, sellsAt } from '#server/store/sellers/sellers.ts'

const strangers = { buys: false, paid: false, blocked: false, identified: false }

/** @throws ApiError `not_found` */
export async function sellerPageOf(
  deps: Deps,
  viewer: Viewer | null,
  creatorId: string,
): Promise<SellerPage> {
  const { db, clock } = deps
  const creator = (await findPeople(db, [creatorId])).get(creatorId)
  if (!creator) throw new ApiError('not_found')
  const isOwn = viewer?.id === creatorId
  const facts = viewer && !isOwn ? await factsBetween(db, creatorId, viewer.id) : strangers
  const relation = relationOf(facts)
  const isPresent = creator.state === 'present'
  const { blocked, identified } = facts
  const sells = isPresent && (await sellsAt(db, creatorId, clock()))
  if (!maySeeSeller({ isOwn, relation, blocked, isPresent, sells })) throw new ApiError('not_found')
  const row = await findSeller(db, creatorId)
  const request = viewer && !isOwn ? await findLatestRequest(db, creatorId, viewer.id) : undefined
  const shownUntil = shownUntilOf(request, blocked, clock())
  const shown = shownOf(deps, row, shownUntil)
  const waits = request !== undefined && request.answeredAt === null
  const mayNot = isOwn || waits || shown.is !== 'on_request'
  const answering = answeringOf({ relation, blocked, identified, hasData: row !== undefined })
  return {
    creator: personView(creator),
    ...shown,
    request: request ? requestView(request) : null,
    may_request: mayNot ? 'no' : viewer ? answering : 'sign_in',
  }
}

function shownOf(
  deps: Deps,
  row: SellerRow | undefined,
  shownUntil: number | undefined,
): Pick<SellerPage, 'is' | 'seller' | 'shown_until'> {
  if (row?.display === 'published')
    return { is: 'published', seller: openSeller(deps, row), shown_until: null }
  if (row && shownUntil !== undefined)
    return {
      is: 'disclosed',
      seller: openSeller(deps, row),
      shown_until: new Date(shownUntil).toISOString(),
    }
  return { is: 'on_request', seller: null, shown_until: null }
}

const requestView = (it: RequestRow): SellerRequestView => ({
  requested_at: it.requestedAt.toISOString(),
  due_at: it.dueAt.toISOString(),
  answered_at: it.answeredAt?.toISOString() ?? null,
  answer: it.answer,
  note: it.note,
})
