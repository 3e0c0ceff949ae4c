// Recorded charges, each with what it paid and what the provider truly charged.
import type { StoredCharge } from '#server/sim/observed.ts'
import type { TrueCharge } from '#server/sim/provider.ts'
import { type ClubMembership, type ClubObserved, type ClubPayment, membershipOfPayment } from './observed.ts'
import type { ClubStory } from './story.ts'

/** A recorded charge with its payment, its membership and what the provider truly charged. */
export interface Taken {
  readonly charge: StoredCharge
  readonly payment: ClubPayment
  readonly membership: ClubMembership | undefined
  readonly truth: TrueCharge | undefined
}

export function takenOf(story: ClubStory, { charges, payments, memberships }: ClubObserved): Taken[] {
  const byId = new Map(payments.map((it) => [it.id, it]))
  const members = new Map(memberships.map((it) => [it.id, it]))
  return charges.flatMap((charge) => {
    const payment = byId.get(charge.payment_id)
    const membership = members.get(payment ? membershipOfPayment(payment) : '')
    const truth = story.servers.provider.charges.get(charge.gid)
    return payment ? [{ charge, payment, membership, truth }] : []
  })
}
