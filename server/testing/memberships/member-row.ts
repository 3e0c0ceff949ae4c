// A paid membership, as rows, without a plan.
import { newId } from '#contract/ids.ts'
import { addMembership } from '#server/store/memberships/memberships.ts'
import { addPayment } from '#server/store/payments/payments.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export async function addMember({ deps, clock }: World, member: Member, creator: Member): Promise<void> {
  const [id, now] = [newId(), new Date(clock.now)]
  const people = { id, userId: member.id, creatorId: creator.id }
  await addPayment(deps.db, {
    ...people,
    kind: 'plan',
    chargeDay: 1,
    amount: 500,
    feeRate: 1000,
    state: 'pending',
    sessionId: newId(),
    authId: newId(),
    createdAt: now,
    expiresAt: now,
  })
  await addMembership(deps.db, {
    ...people,
    planId: null,
    price: 500,
    nextPlanId: null,
    nextPrice: null,
    state: 'active',
    chargeDay: 1,
    provider: 'sandbox',
    recurringRef: newId(),
    formId: null,
    cardChangedAt: null,
    cardExpires: null,
    cardTold: null,
    chargedAmount: 500,
    informedPrice: null,
    paidUntil: new Date(clock.now + 24 * 3600_000),
    joinedAt: now,
    stoppedAt: null,
    endedAt: null,
    why: null,
  })
}
