// An admin refunds a payment; that of the running month ends its membership.
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { refundLocked } from '#server/services/payments/refund.ts'
import type { ActedBy } from './money-door.ts'
import { endOfMonth, lockWithMembership } from './locked-payment.ts'
import { announceToSeller } from './seller-messages.ts'

/** A refund of a part of a payment, or of what is left of it. */
export interface AskedRefund {
  /** A repeat with the same id changes nothing. */
  readonly id: string
  /** Whole yen. */
  readonly amount: number
  /** What earlier refunds have left of the price, as the admin saw it, whole yen. */
  readonly left: number
  readonly reason: string
}

/**
 * Refunds a payment: the platform owes the amount to the buyer until the provider has returned it. One that is refunded completely
 * no longer opens its post, also not on live connections, and the refund of a month that runs ends its membership.
 * @param asked without it, all that is left
 * @returns false when the payment is not paid, less or more is left, or the refund was made before
 */
export async function refundInUnit(
  ports: PaymentPorts,
  unit: PaymentUnit,
  paymentId: string,
  { actorId, ip }: ActedBy,
  asked?: AskedRefund,
): Promise<boolean> {
  const { tx } = unit
  const locked = await lockWithMembership(tx, paymentId)
  if (!locked) return false
  const { payment } = locked
  const left = payment.amount - payment.refundedAmount
  if (asked && asked.left !== left) return false
  if (!(await refundLocked(ports, unit, payment, asked && { ...asked, actorId }))) return false
  const amount = asked?.amount ?? left
  if (amount === left) await endOfMonth(ports, unit, locked)
  if (asked)
    await announceToSeller(ports, unit, payment, { is: 'sale_refunded', amount, reason: asked.reason })
  const audited = { act: 'refund', subjectKind: 'payment', subjectId: paymentId } as const
  const detail = asked ? { refund: asked.id, amount } : { amount }
  unit.audit({ actorId, ip, ...audited, detail })
  return true
}

/** Refunds all that is left of a payment. @returns false when it is not paid */
export function refundPayment(ports: PaymentPorts, paymentId: string, by: ActedBy): Promise<boolean> {
  return ports.transaction((unit) => refundInUnit(ports, unit, paymentId, by))
}
