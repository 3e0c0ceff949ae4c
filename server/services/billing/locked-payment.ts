// Locks a payment with its membership, and ends the membership of a returned month.
import { applyEvent } from '#server/services/memberships/change.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import type { Db } from '#server/store/database.ts'
import { lockMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { findPayment, lockPayment, type PaymentRow } from '#server/store/payments/payments.ts'

export interface LockedPayment {
  readonly payment: PaymentRow
  /** The membership of which it paid a month. */
  readonly membership: MembershipRow | undefined
}

/** Locks a payment until the end of the transaction; undefined when there is none. */
export async function lockWithMembership(tx: Db, paymentId: string): Promise<LockedPayment | undefined> {
  const membershipId = (await findPayment(tx, paymentId))?.membershipId ?? null
  // Before its months, as everything that changes a membership does.
  const membership = membershipId === null ? undefined : await lockMembership(tx, membershipId)
  const payment = await lockPayment(tx, paymentId)
  return payment && { payment, membership }
}

/** Ends the membership if the month that was taken back is not over. */
export async function endOfMonth(
  { clock, settings }: PaymentPorts,
  unit: PaymentUnit,
  { payment: { periodUntil }, membership }: LockedPayment,
): Promise<void> {
  const now = clock()
  const runs = periodUntil !== null && periodUntil.getTime() > now
  if (membership && membership.state !== 'ended' && runs)
    await applyEvent(
      unit,
      membership,
      { is: 'revoked', why: 'refunded' },
      { now, publicUrl: settings.publicUrl },
    )
}
