// Begins the form by which a member changes the card of a membership.
import type { BodyOf } from '#contract/endpoint.ts'
import type { changeMembershipCard } from '#contract/memberships/card.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type CardOffer, cardOffer } from '#server/services/memberships/card.ts'
import { endIfOver } from '#server/services/memberships/change.ts'
import { atOf } from '#server/services/memberships/stop.ts'
import { beginAt, type Buyer } from '#server/services/payments/begin.ts'
import type { Db } from '#server/store/database.ts'
import { findMembership, lockMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import type { Own } from './own.ts'

/**
 * What changing the card of an own membership does now.
 * @throws ApiError `not_found` for a membership of another person, and the codes of `CardRefusal`
 */
export async function ownCardOffer(
  { clock }: Pick<Deps, 'clock'>,
  db: Db,
  { memberId, membershipId }: Own,
): Promise<{ readonly row: MembershipRow; readonly offer: CardOffer }> {
  const row = await findMembership(db, membershipId)
  if (row?.userId !== memberId) throw new ApiError('not_found')
  const offer = await cardOffer(db, row, clock())
  if (typeof offer === 'string') throw new ApiError(offer)
  return { row, offer }
}

interface Begun {
  readonly own: Own
  readonly buyer: Buyer
  /** Keyed hash of the member's network. */
  readonly networkMac: string
  readonly body: BodyOf<typeof changeMembershipCard>
}

/**
 * Begins the form at the provider of new payments, also while nothing new is sold, or at that of the membership while there is none.
 * @throws ApiError `conflict` when the form would do something else than the page showed, and what `beginAt` throws
 */
export async function beginCard(deps: Deps, { own, buyer, networkMac, body }: Begun): Promise<PaymentRow> {
  const { db, transaction, paymentProviders } = deps
  const found = await findMembership(db, own.membershipId)
  if (found?.userId !== own.memberId || found.planId === null) throw new ApiError('not_found')
  const { planId, userId, creatorId } = found
  await transaction((unit) => endIfOver(unit, { userId, creatorId }, atOf(deps)))
  return beginAt(deps, paymentProviders.current ?? paymentProviders.of(found.provider), {
    paymentId: body.payment_id,
    item: { kind: 'plan', planId, changesCardOf: found.id },
    price: body.price,
    buyer,
    networkMac,
    async offer(tx) {
      // A notice that changes it meanwhile comes before this form, or after it.
      await lockMembership(tx, found.id)
      const { offer } = await ownCardOffer(deps, tx, own)
      if (offer.act !== body.act) throw new ApiError('conflict')
      const { price, chargeDay, until } = offer
      const registersOnly = offer.act === 'register'
      return { creatorId, price, registersOnly, chargeDay, ...(until !== undefined && { until }) }
    },
  })
}
