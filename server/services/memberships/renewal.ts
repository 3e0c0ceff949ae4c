// Applies further charges of a membership, and those that pay for nothing.
import { newId } from '#contract/ids.ts'
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { EARLY_CHARGE_MS, membershipStep } from '#server/rules/money/membership.ts'
import { dayOf, periodEnd, periodStart } from '#server/rules/money/periods.ts'
import type { ChargeOutcome } from '#server/services/payments/charge.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { addSale, recordCharge, recordSurplus } from '#server/services/payments/surplus.ts'
import { feeRateOn } from '#server/store/adjustments/fee-rates.ts'
import type { Db } from '#server/store/database.ts'
import {
  findRunning,
  lockMembership,
  membershipIdOf,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { addPayment, hasPaidPeriod, type PaymentRow } from '#server/store/payments/payments.ts'
import { closeOtherGrants, noteOpened } from '#server/store/plans/grants.ts'
import { isConfirmed } from './amounts.ts'
import { type At, saveChange } from './change.ts'
import type { PlanCharge } from './join.ts'
import { announceRenewal } from './messages.ts'
import { columnsOf, stateOf } from './state.ts'
import { stopAfterLastMonth } from './stop.ts'

export const paidBy = (paymentId: string, { amount }: PlanCharge, { now }: At) => ({
  amount,
  paymentId,
  at: now,
})

/** The end of the month that a further charge pays: one shortly before the charge day is for the month that begins then. */
export const renewedUntil = ({ chargedAt }: PlanCharge, { chargeDay }: MembershipRow): number =>
  periodEnd(chargedAt + EARLY_CHARGE_MS, chargeDay)

/** @param before the membership, which the transaction has locked, with the recurring charge of `charge` or an earlier one */
export async function applyRenewal(
  unit: PaymentUnit,
  form: PaymentRow,
  before: MembershipRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const { tx } = unit
  const until = renewedUntil(charge, before)
  const isRepeated = await hasPaidPeriod(tx, before.id, new Date(until))
  const event = { is: 'charged', chargedAt: charge.chargedAt, until, isRepeated } as const
  const step = membershipStep(stateOf(before), event, at.now)
  // What the provider charges now is known again, also after it ignored a stop.
  const isCurrent = before.recurringRef === charge.recurringRef
  const cardExpires = charge.cardExpires ?? before.cardExpires
  const noted: MembershipRow = isCurrent ? { ...before, chargedAmount: charge.amount, cardExpires } : before
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
  await noteOpened(tx, after.id, at.now)
  const last = await stopAfterLastMonth(unit, after, at)
  await announceRenewal(unit, last, paidBy(payment.id, charge, at), at)
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
    changesCardOf: null,
    registersOnly: false,
    planId: membership.planId,
    membershipId: membership.id,
    periodFrom: new Date(periodStart(periodUntil.getTime())),
    periodUntil,
    openedPlans: null,
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
export async function applySurplus(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: PlanCharge,
  why: { readonly reason: SurplusReason; readonly now: number },
): Promise<ChargeOutcome> {
  const { tx } = unit
  await recordSurplus(unit, payment, charge, why)
  const membership = await lockMembership(tx, membershipIdOf(payment))
  if (charge.recurringRef !== '' && membership?.recurringRef !== charge.recurringRef)
    await stopForeign(unit, payment.id, charge, why.now)
  return 'surplus'
}

/** Stops a recurring charge that is not that of a membership. @param paymentId of the task for the operator */
export async function stopForeign(
  { tx, enqueue }: PaymentUnit,
  paymentId: string,
  { provider, recurringRef }: Pick<PlanCharge, 'provider' | 'recurringRef'>,
  now: number,
): Promise<void> {
  const details = { provider, recurringRef }
  await addTask(tx, { kind: 'stop_charges', paymentId, details }, now)
  await enqueue('recurring.stop', { provider, recurringRef })
}
