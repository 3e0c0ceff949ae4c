// Takes a request for a seller's data, and answers it if it may.
import { newId } from '#contract/ids.ts'
import { MAX_SELLER_REQUESTS_A_DAY, SELLER_ANSWER_MS } from '#contract/sellers/sellers.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findUser, lockUser } from '#server/store/people/people.ts'
import { addRequest, countRequests, lockRequest, type RequestRow } from '#server/store/sellers/requests.ts'
import { answeringFor, disclose, namedOf, ownSellerUrl, sellerUrl } from './answer.ts'
import { sellerPageOf } from './seller-page.ts'

const DAY = 24 * 3600_000

/**
 * @param reason why the data are needed, or ''; only the operator reads it
 * @throws ApiError `not_found`, `rate_limited`; `conflict` where there is nothing to request
 */
export async function takeRequest(
  deps: Deps,
  viewer: Viewer,
  creatorId: string,
  reason: string,
): Promise<void> {
  const page = await sellerPageOf(deps, viewer, creatorId)
  if (page.is === 'published' || viewer.id === creatorId) throw new ApiError('conflict')
  if (page.may_request === 'no') return
  await deps.transaction(async (unit) => {
    const { tx } = unit
    const now = deps.clock()
    // Two requests at once are taken one after the other.
    await lockUser(tx, viewer.id)
    if ((await sellerPageOf({ ...deps, db: tx }, viewer, creatorId)).may_request === 'no') return
    if ((await countRequests(tx, viewer.id, now - DAY)) >= MAX_SELLER_REQUESTS_A_DAY)
      throw new ApiError('rate_limited')
    const [id, requestedAt, dueAt] = [newId(), new Date(now), new Date(now + SELLER_ANSWER_MS)]
    await addRequest(tx, { id, creatorId, requesterId: viewer.id, reason, requestedAt, dueAt })
    const request = await lockRequest(tx, id)
    if (request) await answer(deps, unit, viewer, request)
  })
}

/** Answers at once, or tells both people that the operator answers. */
async function answer(deps: Deps, unit: Unit, viewer: Viewer, request: RequestRow): Promise<void> {
  const { tx, email } = unit
  const { creatorId, dueAt, requestedAt } = request
  const { by, hasData } = await answeringFor(tx, creatorId, viewer.id)
  if (by === 'at_once') {
    await disclose(deps, unit, request, 'rule')
    return
  }
  const [creator, requester] = [await findUser(tx, creatorId), await findUser(tx, viewer.id)]
  if (!creator || !requester) return
  const url = sellerUrl(deps, creatorId)
  await email(requester, { is: 'seller_request_taken', creator: creator.name, due: dueAt.getTime(), url })
  // The mailbox of a deleted account does not exist.
  if (creator.deletedAt !== null) return
  await email(creator, {
    is: 'seller_requested',
    state: hasData ? 'waiting' : 'missing',
    requester: namedOf(requester),
    at: requestedAt.getTime(),
    url: ownSellerUrl(deps),
  })
}
