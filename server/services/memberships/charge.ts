// Applies a charge of a plan to its membership.
import { newId } from '#contract/ids.ts'
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { EARLY_CHARGE_MS, membershipStep } from '#server/rules/money/membership.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { dayOf, periodEnd, periodStart } from '#server/rules/money/periods.ts'
import { type ChargeOutcome, unpaidReason } from '#server/services/payments/charge.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { addSale, recordCharge, recordSurplus } from '#server/services/payments/surplus.ts'
import { feeRateOn } from '#server/store/adjustments/fee-rates.ts'
import type { Db } from '#server/store/database.ts'
import {
  findRunning,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { findChargeByRef } from '#server/store/payments/charges.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import {
  addPayment,
  findPayment,
  hasPaidPeriod,
  hasSurplus,
  type PaymentRow,
  setPayment,
} from '#server/store/payments/payments.ts'
import { closeOtherGrants } from '#server/store/plans/grants.ts'
import { isConfirmed } from './amounts.ts'
import { type At, endIfOver, publishMembership, saveChange } from './change.ts'
import { join, type PlanCharge } from './join.ts'
import { announceJoining, announceRenewal } from './messages.ts'
import { columnsOf, stateOf } from './state.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'

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
  if (known) return (await isOfForm(tx, known.paymentId, payment.id)) ? 'unchanged' : 'foreign'
  // The buyer removed the recurring charge from the form: it paid for no membership.
  if (charge.recurringRef === '')
    return applySurplus(unit, payment, charge, { reason: 'changed', now: at.now })
  const membership = await lockMembership(tx, payment.id)
  if (!membership) return applyFirst(unit, payment, charge, at)
  // The form was paid twice, so that the provider has another recurring charge.
  if (membership.recurringRef !== charge.recurringRef)
    return applySurplus(unit, payment, charge, { reason: 'bought', now: at.now })
  return applyRenewal(unit, payment, membership, charge, at)
}

async function isOfForm(tx: Db, paymentId: string, formId: string): Promise<boolean> {
  return paymentId === formId || (await findPayment(tx, paymentId))?.membershipId === formId
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

const paidBy = (paymentId: string, { amount }: PlanCharge, { now }: At) => ({ amount, paymentId, at: now })

async function applyRenewal(
  unit: PaymentUnit,
  form: PaymentRow,
  before: MembershipRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const { tx } = unit
  // A charge shortly before the charge day is for the period that begins then.
  const until = periodEnd(charge.chargedAt + EARLY_CHARGE_MS, before.chargeDay)
  const isRepeated = await hasPaidPeriod(tx, before.id, new Date(until))
  const event = { is: 'charged', chargedAt: charge.chargedAt, until, isRepeated } as const
  const step = membershipStep(stateOf(before), event, at.now)
  // What the provider charges now is known again, also after it ignored a stop.
  const noted: MembershipRow = { ...before, chargedAmount: charge.amount }
  const isChanged = !isConfirmed(before, charge.amount)
  if (step.isSurplus || isChanged || (await hasRejoined(tx, before))) {
    await setMembership(tx, before.id, { chargedAmount: noted.chargedAmount })
    await unit.enqueue('membership.charges', { membershipId: before.id })
    const reason = isRepeated ? 'bought' : isChanged ? 'changed' : 'ended'
    return applySurplus(unit, form, charge, { reason, now: at.now })
  }
  const switched = switchedBy(noted, charge.amount)
  const after: MembershipRow = { ...switched, ...columnsOf(step.membership, switched) }
  const payment = await addRenewal(tx, form, after, charge, new Date(until), at.now)
  const chargeId = await recordCharge(tx, payment, charge, { surplus: null, now: at.now })
  await addSale(unit, payment, chargeId, at.now)
  await saveChange(unit, { before, after }, at.now)
  if (after.planId !== before.planId) {
    await closeOtherGrants(tx, after.id, at.now)
    unit.endConnections({ is: 'permissions', userIds: [after.userId] })
  }
  await announceRenewal(unit, after, paidBy(payment.id, charge, at), at)
  return 'granted'
}

/** Whether a membership that a late notice would open again was followed by another one of the same creator. */
async function hasRejoined(tx: Db, { state, userId, creatorId }: MembershipRow): Promise<boolean> {
  return state === 'ended' && (await findRunning(tx, userId, creatorId)) !== undefined
}

/** The plan and price of the next charge, once it is that charge. */
function switchedBy(row: MembershipRow, amount: number): MembershipRow {
  const { nextPlanId, nextPrice } = row
  if (nextPlanId === null || nextPrice !== amount) return row
  return { ...row, planId: nextPlanId, price: nextPrice, nextPlanId: null, nextPrice: null }
}

/** Adds the payment of a further month. */
async function addRenewal(
  tx: Db,
  form: PaymentRow,
  membership: MembershipRow,
  { chargeRef, amount }: PlanCharge,
  periodUntil: Date,
  now: number,
): Promise<PaymentRow> {
  const at = new Date(now)
  const payment: PaymentRow = {
    ...form,
    id: newId(),
    planId: membership.planId,
    membershipId: membership.id,
    periodFrom: new Date(periodStart(periodUntil.getTime())),
    periodUntil,
    amount,
    feeRate: (await feeRateOn(tx, form.creatorId, dayOf(now))) ?? form.feeRate,
    state: 'paid',
    chargeRef: chargeRef,
    networkMac: '',
    createdAt: at,
    expiresAt: at,
    paidAt: at,
    refundedAt: null,
    refundedAmount: 0,
  }
  if (!(await addPayment(tx, payment))) throw new Error('a month of a membership was paid twice at once')
  return payment
}

/** Records a charge that pays for nothing, and stops its recurring charge unless it is that of the membership. */
async function applySurplus(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: PlanCharge,
  why: { readonly reason: SurplusReason; readonly now: number },
): Promise<ChargeOutcome> {
  const { tx, enqueue } = unit
  await recordSurplus(unit, payment, charge, why)
  const membership = await lockMembership(tx, payment.id)
  if (charge.recurringRef === '' || membership?.recurringRef === charge.recurringRef) return 'surplus'
  const { provider, recurringRef } = charge
  const details = { provider, recurringRef }
  await addTask(tx, { kind: 'stop_charges', paymentId: payment.id, details }, why.now)
  await enqueue('recurring.stop', { provider, recurringRef })
  return 'surplus'
}
