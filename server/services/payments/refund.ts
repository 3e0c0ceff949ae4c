// Refunds a payment, and returns the money of charges by the provider or the operator.
import { refundLines, refundPaidLines } from '#server/rules/money/ledger.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { findCharge, findChargeByGid } from '#server/store/payments/charges.ts'
import { addEntryOnce, hasEntry } from '#server/store/payments/ledger.ts'
import { addTask, closeTasks } from '#server/store/payments/operator-tasks.ts'
import { listPaidMonths, lockPayment, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { revokePurchase } from '#server/store/posts/posts.ts'
import { publishPayment } from './live.ts'
import type { PaymentPorts, PaymentUnit } from './ports.ts'
import { announceRefund } from './purchase-messages.ts'

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
 * Refunds a payment that the transaction has locked: it no longer opens its post, also not on live connections, and the
 * platform owes the amount to the buyer until the provider has returned it.
 * @returns false when it is not paid
 */
export async function refundLocked(
  { clock, paymentProvider: provider }: PaymentPorts,
  unit: PaymentUnit,
  payment: PaymentRow,
): Promise<boolean> {
  const { tx } = unit
  const { id: paymentId, state, amount, chargeGid: chargeId } = payment
  if (chargeId === null || !provider) return false
  const step = paymentStep({ state, amount, chargeId }, { is: 'refunded', chargeId })
  if (step.is !== 'moved') return false
  const now = clock()
  await setPayment(tx, paymentId, { state: step.state, refundedAt: new Date(now) })
  if (step.access === 'revoked') await revokeAccess(unit, payment, now)
  const charge = await findChargeByGid(tx, provider.name, chargeId)
  if (!charge) throw new Error('a paid payment has no charge of the configured provider')
  const { creatorId } = payment
  await addEntryOnce(
    tx,
    { cause: 'refund', chargeId: charge.id, creatorId, lines: refundLines(payment) },
    now,
  )
  await addTask(tx, { kind: 'refund', paymentId, details: { gid: chargeId, amount } }, now)
  await unit.enqueue('payment.refund', { chargeId: charge.id })
  publishPayment(unit, { ...payment, state: step.state })
  await announceRefund(unit, payment, { now })
  return true
}

/** Books that the provider has returned a charge. */
export async function addRefundPaid(
  tx: Db,
  { id: chargeId, amount }: { readonly id: string; readonly amount: number },
  now: number,
): Promise<void> {
  const lines = refundPaidLines(amount)
  await addEntryOnce(tx, { cause: 'refund_paid', chargeId, creatorId: null, lines }, now)
}

async function revokeAccess(unit: PaymentUnit, payment: PaymentRow, now: number): Promise<void> {
  const { postId, userId } = payment
  if (postId === null) return
  await revokePurchase(unit.tx, postId, userId, now)
  unit.endConnections({ is: 'permissions', userIds: [userId] })
}

/**
 * Returns the money of a charge that is owed to the buyer. Where the provider has no interface for it, the operator's task
 * stays open. A repeat changes nothing.
 */
export async function returnCharge(ports: PaymentPorts, chargeId: string): Promise<void> {
  const { db, transaction, clock, paymentProvider: provider } = ports
  const charge = await findCharge(db, chargeId)
  if (!charge || charge.provider !== provider?.name) return
  if (await hasEntry(db, 'refund_paid', chargeId)) return
  const { is } = await provider.refund(charge.gid)
  if (is === 'task') return
  await transaction(async ({ tx }) => {
    await addRefundPaid(tx, charge, clock())
    await closeTasks(tx, charge.isSurplus ? 'refund_surplus' : 'refund', charge.gid, clock())
  })
}
