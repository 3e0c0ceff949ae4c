// Applies first charges of forms that change cards, and charges of replaced cards.
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { membershipStep, type MembershipStep } from '#server/rules/money/membership.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { periodEnd, periodStart } from '#server/rules/money/periods.ts'
import { type ChargeOutcome, unpaidReason } from '#server/services/payments/charge.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'
import { addSale, recordCharge } from '#server/services/payments/surplus.ts'
import { lockMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { hasPaidPeriod, hasSurplus, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { lockPair } from '#server/store/people/blocks.ts'
import { noteOpened } from '#server/store/plans/grants.ts'
import { lockPlan } from '#server/store/plans/offers.ts'
import { goOnRefusal, registerCard, stopReplaced, withCard } from './card.ts'
import { type At, saveChange } from './change.ts'
import type { PlanCharge } from './join.ts'
import { announceRenewal } from './messages.ts'
import { applyRenewal, applySurplus, paidBy, renewedUntil } from './renewal.ts'
import { canReturn } from './returning.ts'
import { columnsOf, stateOf } from './state.ts'

/**
 * Applies a charge of a card that was replaced. One for a month that began before the change, and is not paid, has a late notice;
 * every other one came in spite of the stop.
 */
export async function applyReplacedCharge(
  unit: PaymentUnit,
  form: PaymentRow,
  membership: MembershipRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const until = renewedUntil(charge, membership)
  const isPaid = await hasPaidPeriod(unit.tx, membership.id, new Date(until))
  const isOfBefore = periodStart(until) <= (membership.cardChangedAt?.getTime() ?? 0)
  if (!isPaid && isOfBefore && membership.state !== 'ended')
    return applyRenewal(unit, form, membership, charge, at)
  return applySurplus(unit, form, charge, { reason: isPaid ? 'bought' : 'changed', now: at.now })
}

/** Applies the first charge of a form that changes a card. The transaction has locked the form and the membership. */
export async function applyCardCharge(
  unit: PaymentUnit,
  form: PaymentRow,
  membership: MembershipRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  // A recurring charge whose first charge was returned is being stopped: its next one does nothing either.
  if (await hasSurplus(unit.tx, form.id))
    return applySurplus(unit, form, charge, { reason: 'ended', now: at.now })
  if (!form.registersOnly) return applyPaidCard(unit, form, membership, charge, at)
  // The notice of the registration was lost, so that its first month is the first to show it.
  await registerCard(unit, form, membership, charge, at)
  const current = await lockMembership(unit.tx, membership.id)
  return current?.recurringRef === charge.recurringRef
    ? applyRenewal(unit, form, current, charge, at)
    : applySurplus(unit, form, charge, { reason: 'ended', now: at.now })
}

/** The form has paid the month that was not paid, or one after the end of the membership. */
async function applyPaidCard(
  unit: PaymentUnit,
  form: PaymentRow,
  before: MembershipRow,
  charge: PlanCharge,
  at: At,
): Promise<ChargeOutcome> {
  const { tx } = unit
  const { now } = at
  const event = { is: 'charged', chargeId: charge.chargeRef, amount: charge.amount } as const
  if (paymentStep(stateOfPayment(form), event).is !== 'moved')
    return applySurplus(unit, form, charge, { reason: unpaidReason(form), now })
  const chargeDay = form.chargeDay ?? before.chargeDay
  const until = periodEnd(charge.chargedAt, chargeDay)
  const decided = await decide(unit, form, before, { until, now })
  if (typeof decided === 'string') {
    // Its card is that of a membership that goes on, as its member wanted.
    if (before.state !== 'ended' && decided === 'bought') await registerCard(unit, form, before, charge, at)
    return applySurplus(unit, form, charge, { reason: decided, now })
  }
  const card = withCard({ ...before, chargeDay }, form, charge, now)
  const after: MembershipRow = { ...card, ...columnsOf(decided.membership, card) }
  const chargeId = await recordCharge(tx, form, charge, { surplus: null, now })
  await setPayment(tx, form.id, {
    state: 'paid',
    chargeRef: charge.chargeRef,
    paidAt: new Date(now),
    membershipId: before.id,
    periodFrom: new Date(charge.chargedAt),
    periodUntil: new Date(until),
  })
  await addSale(unit, form, chargeId, now)
  await saveChange(unit, { before, after }, now)
  await noteOpened(tx, after.id, now)
  await stopReplaced(unit, before, form, now)
  await announceRenewal(unit, after, paidBy(form.id, charge, at), at)
  publishPayment(unit, { ...form, state: 'paid' })
  return 'granted'
}

/** What the charge of such a form does to its membership, or why it pays for nothing. */
async function decide(
  unit: PaymentUnit,
  { createdAt }: PaymentRow,
  before: MembershipRow,
  { until, now }: { readonly until: number; readonly now: number },
): Promise<MembershipStep | SurplusReason> {
  const { tx } = unit
  // Until the end of the transaction no block comes between, and no place is given away.
  if (before.planId !== null) await lockPlan(tx, before.planId)
  await lockPair(tx, before.userId, before.creatorId)
  const refusal = await goOnRefusal(tx, before, now)
  if (refusal !== undefined) return refusal === 'already_joined' ? 'bought' : 'gone'
  const isCovered = before.state !== 'ended' && before.paidUntil.getTime() >= until
  const isRepeated = isCovered || (await hasPaidPeriod(tx, before.id, new Date(until)))
  const begunAt = createdAt.getTime()
  const mayReturn = canReturn(before, now - PAYMENT_OPEN_MS)
  const event = { is: 'card_paid', begunAt, until, isRepeated, canReturn: mayReturn } as const
  const step = membershipStep(stateOf(before), event, now)
  if (!step.isSurplus) return step
  return isRepeated ? 'bought' : 'ended'
}
