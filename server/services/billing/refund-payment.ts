// An admin refunds a payment; that of the running month ends its membership.
import { applyEvent } from '#server/services/memberships/change.ts'
import type { PaymentPorts } from '#server/services/payments/ports.ts'
import { refundLocked } from '#server/services/payments/refund.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import { lockMembership } from '#server/store/memberships/memberships.ts'
import { findPayment, lockPayment, type PaymentRow } from '#server/store/payments/payments.ts'

/** The admin who refunds, and the address of the request. */
export interface RefundedBy {
  readonly actorId: string
  readonly ip: string
}

/**
 * Refunds the whole payment: it no longer opens its post, also not on live connections, and the platform owes the amount
 * to the buyer until the provider has returned it. The refund of a month that runs ends its membership. A repeat changes
 * nothing.
 * @returns false when the payment is not paid
 */
export function refundPayment(ports: PaymentPorts, paymentId: string, by: RefundedBy): Promise<boolean> {
  const { transaction, clock, settings } = ports
  return transaction(async (unit) => {
    const { tx } = unit
    const membershipId = (await findPayment(tx, paymentId))?.membershipId ?? null
    // Before its months, as everything that changes a membership does.
    const membership = membershipId === null ? undefined : await lockMembership(tx, membershipId)
    const payment = await lockPayment(tx, paymentId)
    if (!payment || !(await refundLocked(ports, unit, payment))) return false
    const now = clock()
    if (membership && membership.state !== 'ended' && runsAt(payment, now))
      await applyEvent(
        unit,
        membership,
        { is: 'revoked', why: 'refunded' },
        { now, publicUrl: settings.publicUrl },
      )
    const audited = { act: 'refund', subjectKind: 'payment', subjectId: paymentId } as const
    await writeAudit(tx, { ...by, ...audited }, now)
    return true
  })
}

/** Whether the month that a payment paid is not over. */
const runsAt = ({ periodUntil }: PaymentRow, now: number) =>
  periodUntil !== null && periodUntil.getTime() > now
