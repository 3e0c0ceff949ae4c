// Answers requests for a seller's data: by the stored data, or by the operator's words.
import type { SellerRelation } from '#server/rules/sellers.ts'
import { answeringOf, relationOf } from '#server/rules/sellers.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { findUser, type User } from '#server/store/people/people.ts'
import { listWaiting, lockRequest, type RequestRow, setAnswer } from '#server/store/sellers/requests.ts'
import { factsBetween, findSeller } from '#server/store/sellers/sellers.ts'

/** Requests that one pass reads; the next hourly one takes the rest. */
const MOST = 500

export const sellerUrl = ({ settings }: Pick<Deps, 'settings'>, creatorId: string): string =>
  `${settings.publicUrl}/profile/seller/${creatorId}`
export const ownSellerUrl = ({ settings }: Pick<Deps, 'settings'>): string =>
  `${settings.publicUrl}/settings/seller`

/** Name and handle, by which a creator can find and block the person. */
export const namedOf = ({ name, handle }: Pick<User, 'name' | 'handle'>): string =>
  handle === null ? name : `${name}（@${handle}）`

/** How two people are related, and who answers a request of the second one. */
export async function answeringFor(
  db: Unit['tx'],
  creatorId: string,
  requesterId: string,
): Promise<{ relation: SellerRelation; blocked: boolean; hasData: boolean; by: 'at_once' | 'by_operator' }> {
  const facts = await factsBetween(db, creatorId, requesterId)
  const relation = relationOf(facts)
  const hasData = (await findSeller(db, creatorId)) !== undefined
  const { blocked, identified } = facts
  return { relation, blocked, hasData, by: answeringOf({ relation, blocked, identified, hasData }) }
}

/**
 * Gives the stored data to the requester by email, and tells the creator who has them.
 * @returns false if there are no data, or the request was answered before
 */
export async function disclose(
  deps: Deps,
  unit: Unit,
  request: RequestRow,
  answeredBy: 'rule' | 'operator',
): Promise<boolean> {
  const { tx, email } = unit
  const now = deps.clock()
  const row = await findSeller(tx, request.creatorId)
  const [creator, requester] = await peopleOf(unit, request)
  if (!row || !creator || !requester) return false
  if (!(await setAnswer(tx, request.id, { answer: 'disclosed', answeredBy, note: '' }, now))) return false
  const data = openSeller(deps, row)
  const url = sellerUrl(deps, request.creatorId)
  await email(requester, { is: 'seller_disclosed', creator: creator.name, url, ...nameless(data) })
  await email(creator, {
    is: 'seller_requested',
    state: 'disclosed',
    requester: namedOf(requester),
    at: request.requestedAt.getTime(),
    url: ownSellerUrl(deps),
  })
  return true
}

const nameless = ({ name, address, phone, email, hours }: ReturnType<typeof openSeller>) => ({
  seller: name,
  address,
  phone,
  contact: email,
  hours,
})

/** @returns false if the request was answered before */
export async function mediate(deps: Deps, unit: Unit, request: RequestRow, note: string): Promise<boolean> {
  const [creator, requester] = await peopleOf(unit, request)
  if (!creator || !requester) return false
  const answer = { answer: 'mediated', answeredBy: 'operator', note } as const
  if (!(await setAnswer(unit.tx, request.id, answer, deps.clock()))) return false
  const url = sellerUrl(deps, request.creatorId)
  await unit.email(requester, { is: 'seller_mediated', creator: creator.name, note, url })
  return true
}

async function peopleOf({ tx }: Unit, { creatorId, requesterId }: RequestRow) {
  return Promise.all([findUser(tx, creatorId), requesterId === null ? undefined : findUser(tx, requesterId)])
}

/**
 * Answers the requests that waited for what has come since: data of the creator, a purchase, the end of a block.
 * @param creatorId only of this creator
 */
export async function answerWaiting(deps: Deps, creatorId?: string): Promise<void> {
  for (const { id, requesterId, creatorId: of } of await listWaiting(deps.db, MOST, creatorId)) {
    if (requesterId === null) continue
    const { by } = await answeringFor(deps.db, of, requesterId)
    if (by !== 'at_once') continue
    await deps.transaction(async (unit) => {
      const request = await lockRequest(unit.tx, id)
      if (request) await disclose(deps, unit, request, 'rule')
    })
  }
}
