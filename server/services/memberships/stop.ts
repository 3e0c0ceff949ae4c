// Stops memberships: by the member, after leaving, blocks and closings, and as time passes.
import { LATE_NOTICE_MS, PAST_DUE_MS, type StopReason } from '#server/rules/money/membership.ts'
import { periodEnd } from '#server/rules/money/periods.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { refundMonth } from '#server/services/payments/refund.ts'
import {
  listDue,
  listRunning,
  listToStop,
  listToSync,
  lockMembership,
  type MembershipRow,
  type Whose,
} from '#server/store/memberships/memberships.ts'
import type { Db } from '#server/store/database.ts'
import { findPeople } from '#server/store/people/people.ts'
import { listSettled, openBesideGifts, openSettled } from '#server/store/plans/grants.ts'
import { findPlan } from '#server/store/plans/plans.ts'
import { applyEvent, type At } from './change.ts'
import { tellExpiring } from './expiring.ts'

/** Memberships of one transaction, job or sweep. */
export const BATCH = 100
export const MOST = 1000

/** Now, and the public address for the links of emails. */
export const atOf = ({ clock, settings }: Pick<PaymentPorts, 'clock' | 'settings'>): At => ({
  now: clock(),
  publicUrl: settings.publicUrl,
})

/** Stops the charges of a membership that the transaction has locked. */
export async function stopCharges(
  ports: PaymentPorts,
  unit: PaymentUnit,
  row: MembershipRow,
  why: StopReason,
): Promise<MembershipRow> {
  const plan = await findPlan(unit.tx, row.planId)
  const openUntil = why === 'plan_closed' ? (plan?.endsAt?.getTime() ?? null) : null
  return (await applyEvent(unit, row, { is: 'stop_requested', why, openUntil }, atOf(ports))).row
}

/** Whether the next month of a membership would end after its plan. */
export const paysBeyond = (
  { paidUntil, chargeDay }: Pick<MembershipRow, 'paidUntil' | 'chargeDay'>,
  endsAt: number,
): boolean => periodEnd(paidUntil.getTime(), chargeDay) > endsAt

/**
 * Stops the charges of a membership whose month was just paid, if that is the last one before its plan ends: the email
 * about the month says whether another charge follows.
 */
export async function stopAfterLastMonth(
  unit: PaymentUnit,
  row: MembershipRow,
  at: At,
): Promise<MembershipRow> {
  const endsAt = (await findPlan(unit.tx, row.planId))?.endsAt?.getTime()
  if (endsAt === undefined || row.state !== 'active' || !paysBeyond(row, endsAt)) return row
  const event = { is: 'stop_requested', why: 'plan_closed', openUntil: endsAt } as const
  return (await applyEvent(unit, row, event, at)).row
}

/** Stops the charges of all memberships of a person, in this transaction: they are few. */
export async function stopChargesOfMember(
  ports: PaymentPorts,
  unit: PaymentUnit,
  memberId: string,
): Promise<void> {
  for (const id of await listRunning(unit.tx, { memberId }, '', MOST)) {
    const row = await lockMembership(unit.tx, id)
    if (row) await stopCharges(ports, unit, row, 'member_left')
  }
}

/**
 * Stops the charges of a batch of memberships that have to be stopped: an account is leaving or suspended, or the plan
 * ends. Enqueues the next batch.
 */
export async function stopWhatEnds(ports: PaymentPorts): Promise<void> {
  const { db, transaction } = ports
  const ids = await listToStop(db, MOST)
  for (const id of ids)
    await transaction(async (unit) => {
      const row = await lockMembership(unit.tx, id)
      if (row) await stopCharges(ports, unit, row, await reasonOf(unit.tx, row))
    })
  if (ids.length === MOST) await transaction(({ enqueue }) => enqueue('membership.stops', {}))
}

/**
 * Ends the memberships between two people after a block. If the creator blocks, the running month is refunded; if the
 * member does, it is a cancellation: otherwise a month could be read and then be free.
 */
export async function stopAfterBlock(
  ports: PaymentPorts,
  unit: PaymentUnit,
  blockerId: string,
  blockedId: string,
): Promise<void> {
  for (const id of await listRunning(unit.tx, { between: [blockerId, blockedId] }, '', MOST)) {
    const row = await lockMembership(unit.tx, id)
    if (row?.userId === blockerId) await stopCharges(ports, unit, row, 'cancelled')
    else if (row) await revoke(ports, unit, row, 'blocked')
  }
}

/** Ends a membership at once and refunds the month that runs. */
async function revoke(
  ports: PaymentPorts,
  unit: PaymentUnit,
  row: MembershipRow,
  why: 'blocked' | 'creator_left',
): Promise<void> {
  await refundMonth(ports, unit, row)
  await applyEvent(unit, row, { is: 'revoked', why }, atOf(ports))
}

/** Ends all memberships of an account that is erased: months of its members that run are refunded. */
export async function endMembershipsOf(ports: PaymentPorts, userId: string): Promise<void> {
  await forAll(ports, { memberId: userId }, async (unit, row) => {
    await applyEvent(unit, row, { is: 'revoked', why: 'member_left' }, atOf(ports))
  })
  await forAll(ports, { creatorId: userId }, (unit, row) => revoke(ports, unit, row, 'creator_left'))
}

async function forAll(
  { db, transaction }: PaymentPorts,
  of: Whose,
  work: (unit: PaymentUnit, row: MembershipRow) => Promise<void>,
): Promise<void> {
  for (let ids = await listRunning(db, of, '', BATCH); ids.length > 0;) {
    for (const id of ids)
      await transaction(async (unit) => {
        const row = await lockMembership(unit.tx, id)
        if (row && row.state !== 'ended') await work(unit, row)
      })
    ids = await listRunning(db, of, ids.at(-1) ?? '', BATCH)
  }
}

/** Opens to members what added or changed plans of their creator open, once these have settled. A second run changes nothing. */
export async function openPlansOf(
  { transaction, clock }: PaymentPorts,
  { creatorId }: { readonly creatorId: string },
): Promise<void> {
  await transaction(({ tx }) => openSettled(tx, creatorId, clock()))
}

const grace = { active: LATE_NOTICE_MS, pastDue: PAST_DUE_MS }

/** Hourly: ends what is over, stops what is to be stopped, and sends to the provider what it does not have yet. */
export async function sweepMemberships(ports: PaymentPorts): Promise<void> {
  const { db, transaction, clock } = ports
  await stopWhatEnds(ports)
  for (const id of await listDue(db, clock(), grace, MOST))
    await transaction(async (unit) => {
      const row = await lockMembership(unit.tx, id)
      if (row) await applyEvent(unit, row, { is: 'checked' }, atOf(ports))
    })
  await tellExpiring(ports)
  await transaction(({ tx }) => openBesideGifts(tx, clock()))
  for (const creatorId of await listSettled(db, clock(), MOST)) await openPlansOf(ports, { creatorId })
  const ids = await listToSync(db, MOST)
  await transaction(({ enqueueMany }) =>
    enqueueMany(
      'membership.charges',
      ids.map((membershipId) => ({ membershipId })),
    ),
  )
}

async function reasonOf(tx: Db, { userId, creatorId }: MembershipRow): Promise<StopReason> {
  const people = await findPeople(tx, [userId, creatorId])
  if (people.get(creatorId)?.state !== 'present') return 'creator_left'
  return people.get(userId)?.state === 'present' ? 'plan_closed' : 'member_left'
}
