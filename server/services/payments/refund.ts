// Refunds payments, in part or whole, and returns their money.
import { newId } from '#contract/ids.ts'
import { refundLines, refundPaidLines } from '#server/rules/money/ledger.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { addRefund, listUnreturned, type RefundRow, sumRefunds } from '#server/store/adjustments/refunds.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { type ChargeRow, findCharge, findChargeOf } from '#server/store/payments/charges.ts'
import { addEntryOnce, hasEntry } from '#server/store/payments/ledger.ts'
import { addTask, closeTasks } from '#server/store/payments/operator-tasks.ts'
import {
  hasPaidPost,
  listPaidMonths,
  lockPayment,
  type PaymentRow,
  setPayment,
} from '#server/store/payments/payments.ts'
import { revokePurchase } from '#server/store/posts/posts.ts'
import { bookEntry } from './book.ts'
import { publishPayment } from './live.ts'
import type { PaymentPorts, PaymentUnit } from './ports.ts'
import { announceRefund } from './purchase-messages.ts'
import { stateOfPayment } from './state.ts'

/** A refund of all that is left, which no person decides. */
interface RefundByRule {
  readonly by: 'rule'
  /** As the email to the buyer says it; '' for nothing. */
  readonly reason: string
}

/** What an admin refunds. */
export interface RefundRequest {
  readonly by?: 'admin'
  /** A repeat with the same id changes nothing. */
  readonly id: string
  /** Whole yen. */
  readonly amount: number
  readonly reason: string
  readonly actorId: string
}

/** Refunds what was paid for the rest of a membership that the transaction has locked; its caller ends it. */
export async function refundMonth(
  ports: PaymentPorts,
  unit: PaymentUnit,
  { id }: Pick<MembershipRow, 'id'>,
): Promise<void> {
  for (const paymentId of await listPaidMonths(unit.tx, id, new Date(ports.clock()))) {
    const payment = await lockPayment(unit.tx, paymentId)
    if (payment) await refundLocked(ports, unit, payment)
  }
}

/**
 * Refunds a payment that the transaction has locked: the platform owes the amount to the buyer until the provider has returned it.
 * A payment that is refunded completely no longer opens its post, also not on live connections.
 * @returns false when it is not paid, less is left, or another refund has this id
 */
export async function refundLocked(
  { clock }: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
  asked: RefundRequest | RefundByRule = { by: 'rule', reason: '' },
): Promise<boolean> {
  const { tx } = unit
  const { id: paymentId, chargeRef, refundedAmount } = payment
  if (chargeRef === null) return false
  const left = payment.amount - refundedAmount
  const { reason } = asked
  const { id, amount, actorId } = asked.by === 'rule' ? { id: newId(), amount: left, actorId: null } : asked
  const step = paymentStep(stateOfPayment(payment), { is: 'refunded', chargeId: chargeRef, amount })
  if (step.is !== 'moved') return false
  const now = clock()
  const at = new Date(now)
  const charge = await chargeOf(tx, { paymentId, chargeRef })
  if (!(await addRefund(tx, { id, paymentId, chargeId: charge.id, amount, reason, actorId, createdAt: at })))
    return false
  await setPayment(tx, paymentId, {
    state: step.state,
    ...(step.state === 'refunded' && { refundedAt: at }),
    refundedAmount: refundedAmount + amount,
  })
  if (step.access === 'revoked') await revokeAccess(unit, payment, now)
  const { creatorId } = payment
  const lines = refundLines(payment, left, amount)
  await bookEntry(unit, { cause: 'refund', chargeId: charge.id, refundId: id, creatorId, lines }, now)
  const details = { provider: charge.provider, chargeRef, amount, refund: id }
  await addTask(tx, { kind: 'refund', paymentId, details }, now)
  await unit.enqueue('payment.refund', { chargeId: charge.id })
  publishPayment(unit, { ...payment, state: step.state })
  await announceRefund(unit, { ...payment, amount }, { now, isPart: amount < payment.amount, reason })
  return true
}

/** The charge that paid a payment. @throws when there is none */
export async function chargeOf(
  tx: Db,
  of: { readonly paymentId: string; readonly chargeRef: string },
): Promise<ChargeRow> {
  const charge = await findChargeOf(tx, of)
  if (!charge) throw new Error('a paid payment has no charge')
  return charge
}

/** Closes the post that a payment opened, also on live connections, unless another payment of the buyer is paid. */
export async function revokeAccess(unit: PaymentUnit, payment: PaymentRow, now: number): Promise<void> {
  const { postId, userId } = payment
  if (postId === null || (await hasPaidPost(unit.tx, userId, postId))) return
  await revokePurchase(unit.tx, postId, userId, now)
  unit.endConnections({ is: 'permissions', userIds: [userId] })
}

/** Books that the provider has returned what was refunded of a charge. */
export async function addRefundPaid(
  tx: Db,
  { id: refundId, chargeId, amount }: Pick<RefundRow, 'id' | 'chargeId' | 'amount'>,
  now: number,
): Promise<void> {
  const lines = refundPaidLines(amount)
  await addEntryOnce(tx, { cause: 'refund_paid', chargeId, refundId, creatorId: null, lines }, now)
}

/** Books that the provider has returned a charge that paid for nothing. */
export async function addSurplusPaid(
  tx: Db,
  { id: chargeId, amount }: Pick<ChargeRow, 'id' | 'amount'>,
  now: number,
): Promise<void> {
  const lines = refundPaidLines(amount)
  await addEntryOnce(tx, { cause: 'refund_paid', chargeId, creatorId: null, lines }, now)
}

/**
 * Returns the money of a charge that is owed to the buyer: all of one that paid for nothing, and the refunds of another. Where its
 * provider has no interface for it, or is not open any more, the operator's task stays open. A repeat changes nothing.
 * @throws when another process does the same now, so that the job is tried again
 */
export async function returnCharge(ports: PaymentPorts, chargeId: string): Promise<void> {
  // A provider that takes amounts would return the same money twice.
  const result = await ports.database.exclusively(`charge ${chargeId}`, () => returnOwed(ports, chargeId))
  if (result === 'busy') throw new Error('money of the charge is being returned')
}

async function returnOwed(ports: PaymentPorts, chargeId: string): Promise<void> {
  const { db, transaction, clock, paymentProviders } = ports
  const charge = await findCharge(db, chargeId)
  const refund = charge && paymentProviders.of(charge.provider)?.refund
  if (!charge || !refund) return
  if (charge.isSurplus) {
    if (await hasEntry(db, 'refund_paid', chargeId)) return
    await refund(charge.chargeRef, charge.amount)
    return transaction(async ({ tx }) => {
      await addSurplusPaid(tx, charge, clock())
      await closeTasks(tx, 'refund_surplus', charge, clock())
    })
  }
  const unreturned = await listUnreturned(db, chargeId)
  if (unreturned.length === 0) return
  // A refund that is added meanwhile has a job of its own.
  await refund(charge.chargeRef, await sumRefunds(db, chargeId))
  await transaction(async ({ tx }) => {
    for (const it of unreturned) {
      await addRefundPaid(tx, it, clock())
      await closeTasks(tx, 'refund', charge, clock(), it.id)
    }
  })
}
