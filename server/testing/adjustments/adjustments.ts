// Adjustments by an admin over HTTP.
import { newId } from '#contract/ids.ts'
import type { AdjustedPayment, BookedReply, searchAdjustments } from '#contract/adjustments/adjustments.ts'
import type { listSettlements } from '#contract/adjustments/settlements.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

const REASON = 'ご案内の誤りのため'

export const searchFor = async (
  world: World,
  as: Member,
  text: string,
): Promise<ReplyOf<typeof searchAdjustments>> =>
  (await call(world, as, 'GET', `/admin/adjustments?q=${encodeURIComponent(text)}`)).json()

/** The payment as the operator sees it. */
export async function adjustedOf(world: World, as: Member, paymentId: string): Promise<AdjustedPayment> {
  const [payment] = (await searchFor(world, as, paymentId)).payments
  if (!payment) throw new Error('the search found no payment')
  return payment
}

/** @param more at least `amount` and `left` */
export const refund = (world: World, as: Member | null, paymentId: string, more: object): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payments/${paymentId}/refund`, {
    id: newId(),
    reason: REASON,
    preview: false,
    ...more,
  })

/** @param more at least `left` */
export const dispute = (world: World, as: Member | null, paymentId: string, more: object): Promise<Reply> =>
  call(world, as, 'POST', `/admin/payments/${paymentId}/dispute`, {
    id: newId(),
    fee: 0,
    reason: REASON,
    preview: false,
    ...more,
  })

export const decide = (
  world: World,
  as: Member | null,
  disputeId: string,
  outcome: string,
  preview = false,
): Promise<Reply> => call(world, as, 'POST', `/admin/disputes/${disputeId}/decision`, { outcome, preview })

/** @param more at least `first_day` and `rate` */
export const setRate = (world: World, as: Member | null, creatorId: string, more: object): Promise<Reply> =>
  call(world, as, 'POST', `/admin/people/${creatorId}/fee-rates`, {
    id: newId(),
    reason: REASON,
    preview: false,
    ...more,
  })

/** @param more at least `plan_id`, `member` and `ends_on` */
export const give = (world: World, as: Member | null, more: object): Promise<Reply> =>
  call(world, as, 'POST', '/admin/complimentary', {
    id: newId(),
    paid: 0,
    reason: REASON,
    preview: false,
    ...more,
  })

export const settlementsOf = async (world: World, as: Member): Promise<ReplyOf<typeof listSettlements>> =>
  (await call(world, as, 'GET', '/admin/settlements')).json()

/** @param more at least `day`, `received`, `fee` and `latest` */
export const recordSettlement = (world: World, as: Member | null, more: object): Promise<Reply> =>
  call(world, as, 'POST', '/admin/settlements', { id: newId(), reference: '', preview: false, ...more })

export const reverseSettlement = (
  world: World,
  as: Member | null,
  id: string,
  preview = false,
): Promise<Reply> => call(world, as, 'POST', `/admin/settlements/${id}/reversal`, { reason: REASON, preview })

/** Lines of a reply, such as `creator_payable 540`. */
export const linesOf = (reply: Reply): string[] =>
  reply
    .json<BookedReply>()
    .entries.flatMap(({ cause, lines }) => [cause, ...lines.map((it) => `${it.account} ${it.amount}`)])
