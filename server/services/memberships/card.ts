// Changes the card of a membership by a form that begins another recurring charge.
import { canRegisterCard } from '#server/rules/money/membership.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { chargeDayOf, periodEnd } from '#server/rules/money/periods.ts'
import { planStateOf } from '#server/rules/plan-state.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'
import type { Db } from '#server/store/database.ts'
import { hasLater, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { closeTasksOf } from '#server/store/payments/operator-tasks.ts'
import { type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { accountState } from '#server/store/people/people.ts'
import { hasGivenPlan } from '#server/store/plans/grants.ts'
import { findPlanFacts } from '#server/store/plans/plan-facts.ts'
import { applyEvent, type At, saveChange } from './change.ts'
import type { PlanCharge } from './join.ts'
import { announceCard } from './messages.ts'
import { stopForeign } from './renewal.ts'
import { canReturn } from './returning.ts'
import { stateOf } from './state.ts'
import { recurringTasks, wantedAmount } from './sync-charges.ts'

/**
 * What a form would do. `register`: it takes no money, and the next month is charged to its card. `pay`: it pays the month that
 * was not paid. `return`: it pays a month, and continues a membership that ended unpaid.
 */
export type CardAct = 'register' | 'pay' | 'return'

export interface CardOffer {
  readonly act: CardAct
  /** Whole yen a month. */
  readonly price: number
  readonly chargeDay: number
  /** When the month after this form is charged, ms since 1970. */
  readonly nextChargeAt: number
  /** When another form would be needed, ms since 1970; undefined without such a moment. */
  readonly until: number | undefined
}

export type CardRefusal = 'not_found' | 'conflict' | 'plan_closed' | 'already_joined'

/** What a form would do for a membership at this moment, ms since 1970, if only its own state decides. */
export function cardActOf(row: MembershipRow, now: number): CardAct | undefined {
  const state = stateOf(row)
  if (canRegisterCard(state, now)) return 'register'
  if (state.is === 'active' || state.is === 'past_due') return 'pay'
  return canReturn(row, now) ? 'return' : undefined
}

/** What changing the card of a membership would do now, or why it cannot be changed. */
export async function cardOffer(db: Db, row: MembershipRow, now: number): Promise<CardOffer | CardRefusal> {
  const act = cardActOf(row, now)
  if (act === undefined) return 'conflict'
  const refusal = await goOnRefusal(db, row, now)
  if (refusal !== undefined) return refusal
  const { chargeDay, nextChargeAt, paysTo } = monthsOf(act, row, now)
  const plan = await findPlanFacts(db, row.planId ?? '', now)
  if (isBeyond(paysTo, plan?.endsAt ?? null)) return 'plan_closed'
  // A membership whose charges the provider has stopped wants nothing as long as it has no other card.
  const price = wantedAmount(row) || row.price
  const until = act === 'register' ? row.paidUntil.getTime() : undefined
  return { act, price, chargeDay, nextChargeAt, until }
}

/** When the month after a form is charged, and the end of the next month that its card is to pay, ms since 1970. */
function monthsOf(act: CardAct, row: MembershipRow, now: number) {
  const paidUntil = row.paidUntil.getTime()
  const chargeDay = act === 'return' ? chargeDayOf(now) : row.chargeDay
  if (act === 'register')
    return { chargeDay, nextChargeAt: paidUntil, paysTo: periodEnd(paidUntil, chargeDay) }
  const nextChargeAt = periodEnd(now, chargeDay)
  return { chargeDay, nextChargeAt, paysTo: nextChargeAt }
}

/** As with renewals, no month is charged that would end after the plan. */
const isBeyond = (paysTo: number, endsAt: Date | null): boolean =>
  endsAt !== null && paysTo > endsAt.getTime()

/** What its member sees of changing the card: undefined also where the end of the plan forbids it. */
export function shownCardAct(row: MembershipRow, endsAt: Date | null, now: number): CardAct | undefined {
  const act = cardActOf(row, now)
  return act && isBeyond(monthsOf(act, row, now).paysTo, endsAt) ? undefined : act
}

/** Why a membership cannot go on with any card. */
export async function goOnRefusal(
  db: Db,
  row: MembershipRow,
  now: number,
): Promise<Exclude<CardRefusal, 'conflict'> | undefined> {
  const { userId, creatorId, planId } = row
  const plan = planId === null ? undefined : await findPlanFacts(db, planId, now)
  if (planId === null || !plan || planStateOf(plan, now) === 'ended') return 'not_found'
  for (const id of [userId, creatorId]) if ((await accountState(db, id)) !== 'present') return 'not_found'
  if ((await blockedAmong(db, userId, [creatorId])).size > 0) return 'not_found'
  if (row.state !== 'ended') return undefined
  const isElsewhere = (await hasLater(db, row)) || (await hasGivenPlan(db, planId, userId, now))
  return isElsewhere ? 'already_joined' : undefined
}

/** The recurring charge that a form has begun. */
export interface NewCard extends Pick<PlanCharge, 'provider' | 'recurringRef'> {
  readonly cardExpires?: string | undefined
}

/** The columns of a membership whose card is that of a form from now on, ms since 1970. */
export const withCard = (
  row: MembershipRow,
  form: PaymentRow,
  { provider, recurringRef, cardExpires }: NewCard,
  now: number,
): MembershipRow => ({
  ...row,
  provider,
  recurringRef,
  formId: form.id,
  chargedAmount: form.amount,
  cardChangedAt: new Date(now),
  cardExpires: cardExpires ?? null,
  cardTold: null,
})

/** Stops the recurring charge that a membership had before. @param form that began the one after it */
export async function stopReplaced(
  unit: PaymentUnit,
  before: MembershipRow,
  form: PaymentRow,
  now: number,
): Promise<void> {
  await closeTasksOf(unit.tx, recurringTasks, { paymentId: before.id }, { now, why: 'settled' })
  await stopForeign(unit, form.id, before, now)
}

/**
 * Makes the card of a form that of its membership. The transaction has locked both.
 * @returns whether it is that of the membership now; one that is not is stopped
 */
export async function registerCard(
  unit: PaymentUnit,
  form: PaymentRow,
  before: MembershipRow,
  card: NewCard,
  at: At,
): Promise<boolean> {
  const step = paymentStep(stateOfPayment(form), { is: 'registered' })
  if (step.is !== 'moved' || before.state === 'ended') {
    // The form was done twice, or too late.
    const isCurrent = before.recurringRef === card.recurringRef
    if (!isCurrent) await stopForeign(unit, form.id, card, at.now)
    return isCurrent
  }
  await setPayment(unit.tx, form.id, { state: step.state })
  publishPayment(unit, { ...form, state: step.state })
  const changed = withCard(before, form, card, at.now)
  await saveChange(unit, { before, after: changed }, at.now)
  await stopReplaced(unit, before, form, at.now)
  const { row } = await applyEvent(unit, changed, { is: 'card_registered' }, at)
  await announceCard(unit, row, at)
  return true
}
