// Emails and notifications about a membership.
import type { Email } from '#server/rules/email.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { findUser } from '#server/store/people/people.ts'
import { findPlan } from '#server/store/plans/plans.ts'
import { returnUntil } from './returning.ts'

export interface Messages {
  /** For the links of emails. */
  readonly publicUrl: string
}

type Unit = Pick<PaymentUnit, 'tx' | 'email' | 'notify'>

/** Names of the creator and the plan, and the address of the list of joined plans. */
async function namesOf(tx: Db, row: MembershipRow, { publicUrl }: Messages) {
  const [creator, plan] = [await findUser(tx, row.creatorId), await findPlan(tx, row.planId)]
  return {
    creator: creator?.name ?? '',
    plan: plan?.name ?? '',
    thanks: plan?.thanks ?? '',
    url: `${publicUrl}/plan?tab=joined`,
  }
}

/** Emails the member, unless the account is being deleted, since its emails would be removed. */
async function emailMember({ tx, email }: Unit, row: MembershipRow, letter: Email): Promise<void> {
  const member = await findUser(tx, row.userId)
  if (member && member.deletedAt === null) await email({ email: member.email, name: member.name }, letter)
}

interface Paid {
  readonly amount: number
  readonly paymentId: string
  readonly at: number
}

/** The first charge: to the creator a notification, to the member an email with the creator's thanks. */
export async function announceJoining(
  unit: Unit,
  row: MembershipRow,
  paid: Paid,
  messages: Messages,
): Promise<void> {
  if (row.planId !== null)
    await unit.notify({ is: 'plan', by: row.userId, to: row.creatorId, planId: row.planId })
  const names = await namesOf(unit.tx, row, messages)
  const nextChargeAt = row.paidUntil.getTime()
  await emailMember(unit, row, { is: 'membership_joined', ...names, ...paid, nextChargeAt })
}

/** A further charge. */
export async function announceRenewal(
  unit: Unit,
  row: MembershipRow,
  paid: Paid,
  messages: Messages,
): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  const goesOn = row.state === 'active' || row.state === 'past_due'
  const nextChargeAt = goesOn ? row.paidUntil.getTime() : null
  await emailMember(unit, row, { is: 'membership_renewed', ...names, ...paid, nextChargeAt })
}

/** A new state, except that of the first charge. */
export async function announceState(unit: Unit, row: MembershipRow, messages: Messages): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  const { price: amount, why } = row
  const paidUntil = row.paidUntil.getTime()
  switch (row.state) {
    case 'active':
      return emailMember(unit, row, { is: 'membership_resumed', ...names, amount, nextChargeAt: paidUntil })
    case 'past_due':
      return emailMember(unit, row, { is: 'membership_past_due', ...names, amount })
    case 'cancelling':
      // The members of a plan that closes get an email of their own.
      if (why && why !== 'plan_closed')
        await emailMember(unit, row, { is: 'membership_cancelling', ...names, why, until: paidUntil })
      return undefined
    case 'ended':
      if (why)
        await emailMember(unit, row, {
          is: 'membership_ended',
          ...names,
          why,
          returnUntil: await returnOf(unit.tx, row),
        })
      return undefined
    default:
      return row.state satisfies never
  }
}

/** Until when an ended membership can be continued. */
async function returnOf(tx: Db, row: MembershipRow): Promise<number | null> {
  const plan = await findPlan(tx, row.planId)
  return plan?.endsAt === null ? (returnUntil(row) ?? null) : null
}

/** Another card from the next charge on. */
export async function announceCard(unit: Unit, row: MembershipRow, messages: Messages): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  const goesOn = row.state === 'active' || row.state === 'past_due'
  const nextChargeAt = goesOn ? row.paidUntil.getTime() : null
  const amount = row.nextPrice ?? row.price
  await emailMember(unit, row, { is: 'membership_card', ...names, amount, nextChargeAt })
}

/** The card can be charged to the end of a month. */
export async function announceExpiring(unit: Unit, row: MembershipRow, messages: Messages): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  if (row.cardExpires !== null)
    await emailMember(unit, row, { is: 'membership_card_expires', ...names, month: row.cardExpires })
}

/** Another plan or price from the next charge on. */
export async function announceNext(unit: Unit, row: MembershipRow, messages: Messages): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  const next = await findPlan(unit.tx, row.nextPlanId)
  const [from, amount] = [row.paidUntil.getTime(), row.nextPrice]
  if (next && amount !== null)
    await emailMember(unit, row, { is: 'membership_next', ...names, nextPlan: next.name, amount, from })
}

/** The end of the plan, announced by its creator. */
export async function announceClosing(
  unit: Unit,
  row: MembershipRow,
  endsAt: number,
  messages: Messages,
): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  const goesOn = row.state === 'active' || row.state === 'past_due'
  const nextChargeAt = goesOn ? row.paidUntil.getTime() : null
  await emailMember(unit, row, { is: 'plan_closing', ...names, endsAt, nextChargeAt })
}

/** Another price of the plan for people who join from now on. */
export async function announcePrice(
  unit: Unit,
  row: MembershipRow,
  offered: number,
  messages: Messages,
): Promise<void> {
  const { thanks: _, ...names } = await namesOf(unit.tx, row, messages)
  await emailMember(unit, row, { is: 'plan_price', ...names, offered, amount: row.price })
}
