// A purchase with a receipt, as rows, without a post.
import { newId } from '#contract/ids.ts'
import { yearOf } from '#server/rules/money/periods.ts'
import { sealReceipt } from '#server/services/documents/sealed-issue.ts'
import { addPayment } from '#server/store/payments/payments.ts'
import { addIssue } from '#server/store/payments/receipts.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export async function addReceipted(
  { deps, clock }: World,
  buyer: Member,
  creator: Member,
  addressee: string,
): Promise<void> {
  const [id, now] = [newId(), new Date(clock.now)]
  await addPayment(deps.db, {
    id,
    userId: buyer.id,
    creatorId: creator.id,
    kind: 'post',
    amount: 500,
    feeRate: 1000,
    state: 'paid',
    sessionId: newId(),
    authId: newId(),
    createdAt: now,
    expiresAt: now,
    paidAt: now,
  })
  const content = { addressee, creator: '別の人', seller: null, registrationNumber: null, isInvoice: false }
  const seal = (issue: string) => sealReceipt(deps, issue, content)
  const amounts = { amount: 500, refundedAmount: 0 }
  await addIssue(deps.db, { paymentId: id, addressee, seal, ...amounts }, yearOf(clock.now), clock.now)
}
