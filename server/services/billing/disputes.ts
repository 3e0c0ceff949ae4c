// Disputes: a card company takes a charge back, examines it, and decides.
import { ApiError } from '#server/http/errors.ts'
import {
  disputeCoveredLines,
  disputeFeeLines,
  disputeLines,
  disputeWonLines,
} from '#server/rules/money/ledger.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { chargeOf, refundLocked, revokeAccess } from '#server/services/payments/refund.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'
import {
  addDispute,
  type DisputeRow,
  findDispute,
  lockDispute,
  setDispute,
} from '#server/store/adjustments/disputes.ts'
import type { Db } from '#server/store/database.ts'
import { hasPaidPost, holdPost, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { addPurchase, findPost } from '#server/store/posts/posts.ts'
import { endOfMonth, lockWithMembership } from './locked-payment.ts'
import type { ActedBy } from './money-door.ts'
import { announceToSeller } from './seller-messages.ts'

export interface AskedDispute {
  /** A repeat with the same id changes nothing. */
  readonly id: string
  /** What the provider charges the platform for it, whole yen. */
  readonly fee: number
  /** What earlier refunds have left of the price, as the admin saw it, whole yen. */
  readonly left: number
  readonly reason: string
}

/**
 * Records that the card company has taken what is left of a payment. Its shares are taken back from creator and platform, the
 * post is closed, and a month that runs ends its membership.
 * @throws ApiError `not_found`; `conflict` when the payment is not paid, something else is left, or the dispute is recorded
 */
export async function openDispute(
  ports: PaymentPorts,
  unit: PaymentUnit,
  paymentId: string,
  by: ActedBy,
  { id, fee, left, reason }: AskedDispute,
): Promise<void> {
  const { tx } = unit
  const locked = await lockWithMembership(tx, paymentId)
  if (!locked) throw new ApiError('not_found')
  const { payment } = locked
  const { chargeRef, creatorId } = payment
  if (chargeRef === null || payment.amount - payment.refundedAmount !== left) throw new ApiError('conflict')
  const step = paymentStep(stateOfPayment(payment), { is: 'disputed', chargeId: chargeRef })
  if (step.is !== 'moved') throw new ApiError('conflict')
  const now = ports.clock()
  const { id: chargeId } = await chargeOf(tx, { paymentId, chargeRef })
  const row = { id, paymentId, chargeId, state: 'open', amount: left, fee, reason } as const
  if (!(await addDispute(tx, { ...row, openedAt: new Date(now), decidedAt: null })))
    throw new ApiError('conflict')
  await setPayment(tx, paymentId, { state: step.state })
  await revokeAccess(unit, payment, now)
  await endOfMonth(ports, unit, locked)
  const lines = disputeLines(payment, left)
  await bookEntry(unit, { cause: 'dispute', chargeId, disputeId: id, creatorId, lines }, now)
  const feeLines = disputeFeeLines(fee)
  if (feeLines.length > 0)
    await bookEntry(
      unit,
      { cause: 'dispute_fee', chargeId, disputeId: id, creatorId: null, lines: feeLines },
      now,
    )
  publishPayment(unit, { ...payment, state: step.state })
  await announceToSeller(ports, unit, payment, { is: 'sale_disputed', amount: left, reason })
  const audited = { act: 'dispute.open', subjectKind: 'payment', subjectId: paymentId } as const
  unit.audit({ ...by, ...audited, detail: { dispute: id, amount: left, fee } })
}

/** `covered`: lost, and the platform bears the creator's share. */
export type DisputeOutcome = 'won' | 'lost' | 'covered'

/**
 * Records the decision of a dispute. A won one is a sale again, and its post is open. If the post was deleted or bought again
 * meanwhile, the money goes back to the buyer. A membership does not begin again.
 * @throws ApiError `not_found`; `conflict` when it is decided
 */
export async function decideDispute(
  ports: PaymentPorts,
  unit: PaymentUnit,
  disputeId: string,
  by: ActedBy,
  outcome: DisputeOutcome,
): Promise<void> {
  const { tx } = unit
  const known = await findDispute(tx, disputeId)
  const locked = known && (await lockWithMembership(tx, known.paymentId))
  const dispute = await lockDispute(tx, disputeId)
  if (!locked || !dispute) throw new ApiError('not_found')
  const { payment } = locked
  const now = ports.clock()
  const isWon = outcome === 'won'
  const event = { is: 'dispute_decided', chargeId: payment.chargeRef ?? '', isWon } as const
  const step = paymentStep(stateOfPayment(payment), event)
  if (dispute.state !== 'open' || step.is !== 'moved') throw new ApiError('conflict')
  await setDispute(tx, disputeId, { state: isWon ? 'won' : 'lost', decidedAt: new Date(now) })
  if (isWon) await win(ports, unit, payment, dispute)
  else await lose(unit, payment, dispute, { isCovered: outcome === 'covered', now })
  const is = outcome === 'won' ? 'dispute_won' : outcome === 'lost' ? 'dispute_lost' : 'dispute_covered'
  await announceToSeller(ports, unit, payment, { is, amount: dispute.amount, reason: '' })
  const audited = { act: `dispute.${outcome}`, subjectKind: 'payment', subjectId: payment.id } as const
  unit.audit({ ...by, ...audited, detail: { dispute: disputeId, amount: dispute.amount } })
}

async function win(
  ports: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
  { id: disputeId, chargeId, amount: left }: DisputeRow,
): Promise<void> {
  const { tx } = unit
  const now = ports.clock()
  const { id, postId, userId, creatorId } = payment
  const lines = disputeWonLines(payment, left)
  await bookEntry(unit, { cause: 'dispute_won', chargeId, disputeId, creatorId, lines }, now)
  if (payment.kind === 'post' && !(await canOpen(tx, payment))) {
    await refundLocked(ports, unit, { ...payment, state: 'paid' })
    return
  }
  await setPayment(tx, id, { state: 'paid' })
  if (postId !== null) {
    await addPurchase(tx, postId, userId, payment.amount, now)
    unit.endConnections({ is: 'permissions', userIds: [userId] })
  }
  publishPayment(unit, { ...payment, state: 'paid' })
}

/** Whether the post can be opened for its buyer: it is still there, and the buyer has not bought it again. */
async function canOpen(tx: Db, { postId, userId }: PaymentRow): Promise<boolean> {
  if (postId === null) return false
  await holdPost(tx, postId)
  const post = await findPost(tx, postId)
  return post !== undefined && post.deletedAt === null && !(await hasPaidPost(tx, userId, postId))
}

async function lose(
  unit: PaymentUnit,
  payment: PaymentRow,
  { id: disputeId, chargeId, amount: left }: DisputeRow,
  { isCovered, now }: { readonly isCovered: boolean; readonly now: number },
): Promise<void> {
  const { tx } = unit
  const { id, creatorId, amount } = payment
  await setPayment(tx, id, { state: 'refunded', refundedAt: new Date(now), refundedAmount: amount })
  const lines = disputeCoveredLines(payment, left)
  if (isCovered && lines.length > 0)
    await bookEntry(unit, { cause: 'dispute_covered', chargeId, disputeId, creatorId, lines }, now)
  publishPayment(unit, { ...payment, state: 'refunded' })
}
