// Applies a charge of a plan to its membership.
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { type ChargeOutcome, unpaidReason } from '#server/services/payments/charge.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'
import { addSale, recordCharge } from '#server/services/payments/surplus.ts'
import type { Db } from '#server/store/database.ts'
import {
  findRunning,
  isFormOf,
  lockMembership,
  membershipIdOf,
} from '#server/store/memberships/memberships.ts'
import { findChargeByRef } from '#server/store/payments/charges.ts'
import { findPayment, hasSurplus, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { noteOpened } from '#server/store/plans/grants.ts'
import { applyCardCharge, applyReplacedCharge } from './card-charge.ts'
import { type At, endIfOver, publishMembership } from './change.ts'
import { join, type PlanCharge } from './join.ts'
import { announceJoining } from './messages.ts'
import { applyRenewal, applySurplus, paidBy } from './renewal.ts'

/**
 * Applies a charge in the transaction that has locked the payment whose form began the recurring charge.
 * @param payment the payment of that form
 */
export async function applyPlanCharge(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const { tx } = unit
  const known = await findChargeByRef(tx, charge.provider, charge.chargeRef)
  if (known) return (await isOfForm(tx, known.paymentId, payment)) ? 'unchanged' : 'foreign'
  // The buyer removed the recurring charge from the form: it paid for no membership.
  if (charge.recurringRef === '')
    return applySurplus(unit, payment, charge, { reason: 'changed', now: at.now })
  const membership = await lockMembership(tx, membershipIdOf(payment))
  if (!membership) return applyFirst(unit, payment, charge, at)
  if (!isFormOf(membership, payment))
    return isUsed(payment)
      ? applyReplacedCharge(unit, payment, membership, charge, at)
      : applyCardCharge(unit, payment, membership, charge, at)
  // The form was paid twice, so that the provider has another recurring charge.
  if (membership.recurringRef !== charge.recurringRef)
    return applySurplus(unit, payment, charge, { reason: 'bought', now: at.now })
  return applyRenewal(unit, payment, membership, charge, at)
}

/** Whether a form has begun a recurring charge, which that of another form has replaced. */
const isUsed = ({ changesCardOf, state, chargeRef }: PaymentRow): boolean =>
  changesCardOf === null || state === 'registered' || chargeRef !== null

async function isOfForm(tx: Db, paymentId: string, form: PaymentRow): Promise<boolean> {
  return paymentId === form.id || (await findPayment(tx, paymentId))?.membershipId === membershipIdOf(form)
}

async function applyFirst(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const { tx } = unit
  const event = { is: 'charged', chargeId: charge.chargeRef, amount: charge.amount } as const
  const step = paymentStep(stateOfPayment(payment), event)
  if (step.is === 'unchanged') return 'unchanged'
  // A recurring charge whose first charge was returned is being stopped: its next one makes no member either.
  const isTaken = step.is === 'moved' && step.access === 'granted'
  const isPaid = isTaken && !(await hasSurplus(tx, payment.id))
  if (isPaid) await endIfOver(unit, payment, at)
  const membership = isPaid ? await join(tx, payment, charge, at.now) : undefined
  if (!membership) {
    const reason = isTaken ? await unjoinedReason(tx, payment) : unpaidReason(payment)
    return applySurplus(unit, payment, charge, { reason, now: at.now })
  }
  const chargeId = await recordCharge(tx, payment, charge, { surplus: null, now: at.now })
  await setPayment(tx, payment.id, {
    state: 'paid',
    chargeRef: charge.chargeRef,
    paidAt: new Date(at.now),
    membershipId: membership.id,
    periodFrom: new Date(charge.chargedAt),
    periodUntil: membership.paidUntil,
  })
  await noteOpened(tx, membership.id, at.now)
  await addSale(unit, payment, chargeId, at.now)
  await announceJoining(unit, membership, paidBy(payment.id, charge, at), at)
  publishPayment(unit, { ...payment, state: 'paid' })
  publishMembership(unit, membership)
  return 'granted'
}

/** Why a charge made no member: the buyer has joined already, or the plan cannot be joined. */
async function unjoinedReason(tx: Db, { userId, creatorId }: PaymentRow): Promise<SurplusReason> {
  return (await findRunning(tx, userId, creatorId)) ? 'bought' : 'gone'
}
