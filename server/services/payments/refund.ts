// Refunds a payment, and returns the money of charges by the provider or the operator.
import { refundLines, refundPaidLines } from '#server/rules/money/ledger.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import { findCharge, findChargeByGid } from '#server/store/payments/charges.ts'
import { addEntryOnce, hasEntry } from '#server/store/payments/ledger.ts'
import { addTask, closeTasks } from '#server/store/payments/operator-tasks.ts'
import { lockPayment, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { revokePurchase } from '#server/store/posts/posts.ts'
import { publishPayment } from './live.ts'
import type { PaymentPorts, PaymentUnit } from './ports.ts'

/** The admin who refunds, and the address of the request. */
export interface RefundedBy {
  readonly actorId: string
  readonly ip: string
}

/**
 * Refunds the whole payment: it no longer opens its post, also not on live connections, and the platform owes the amount
 * to the buyer until the provider has returned it. A repeat changes nothing.
 * @returns false when the payment is not paid
 */
export function refundPayment(ports: PaymentPorts, paymentId: string, by: RefundedBy): Promise<boolean> {
  const { transaction, clock, paymentProvider: provider } = ports
  return transaction(async (unit) => {
    const payment = await lockPayment(unit.tx, paymentId)
    if (!payment || payment.chargeGid === null || !provider) return false
    const { state, amount, chargeGid: chargeId } = payment
    const step = paymentStep({ state, amount, chargeId }, { is: 'refunded', chargeId })
    if (step.is !== 'moved') return false
    const now = clock()
    await setPayment(unit.tx, payment.id, { state: step.state, refundedAt: new Date(now) })
    if (step.access === 'revoked') await revokeAccess(unit, payment, now)
    const charge = await findChargeByGid(unit.tx, provider.name, chargeId)
    if (!charge) throw new Error('a paid payment has no charge of the configured provider')
    await addEntryOnce(unit.tx, 'refund', charge.id, refundLines(payment), now)
    await addTask(unit.tx, { kind: 'refund', paymentId, details: { gid: chargeId, amount } }, now)
    await unit.enqueue('payment.refund', { chargeId: charge.id })
    const audited = { act: 'refund', subjectKind: 'payment', subjectId: paymentId } as const
    await writeAudit(unit.tx, { ...by, ...audited }, now)
    publishPayment(unit, { ...payment, state: step.state })
    return true
  })
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
    await addEntryOnce(tx, 'refund_paid', chargeId, refundPaidLines(charge.amount), clock())
    await closeTasks(tx, charge.isSurplus ? 'refund_surplus' : 'refund', charge.gid, clock())
  })
}
