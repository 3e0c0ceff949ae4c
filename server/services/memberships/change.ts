// Applies an event to a membership, in a unit of work.
import { personChannel } from '#contract/realtime/channels.ts'
import { type MembershipEvent, type MembershipStep, membershipStep } from '#server/rules/money/membership.ts'
import { publishSales } from '#server/services/payments/book.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import {
  findRunning,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { openGrants, reopenGrants, setGrantsEnd } from '#server/store/plans/grants.ts'
import { announceState, type Messages } from './messages.ts'
import { columnsOf, stateOf } from './state.ts'

/** Moment of a change, ms since 1970, and the public address for the links of emails. */
export interface At extends Messages {
  readonly now: number
}

/**
 * Applies an event to a membership that the transaction has locked.
 * @returns the row afterwards, and the step
 */
export async function applyEvent(
  unit: PaymentUnit,
  row: MembershipRow,
  event: MembershipEvent,
  at: At,
): Promise<{ readonly row: MembershipRow; readonly step: MembershipStep }> {
  const step = membershipStep(stateOf(row), event, at.now)
  const columns = columnsOf(step.membership, row)
  // A stop by the provider needs no other one.
  const isStopped = event.is === 'charges_stopped' && step.membership.is !== row.state
  const after: MembershipRow = {
    ...row,
    ...columns,
    ...(isStopped && { chargedAmount: 0 }),
    // After a stop there is no next charge that a change could wait for.
    ...(isLeaving(columns.state) && { nextPlanId: null, nextPrice: null }),
  }
  if (isSame(row, after)) return { row, step }
  await saveChange(unit, { before: row, after }, at.now)
  if (row.state !== after.state) await announceState(unit, after, at)
  return { row: after, step }
}

const isLeaving = (state: MembershipRow['state']) => state === 'cancelling' || state === 'ended'

const isSame = (one: MembershipRow, other: MembershipRow) =>
  one.state === other.state &&
  one.paidUntil.getTime() === other.paidUntil.getTime() &&
  one.chargedAmount === other.chargedAmount

/** A membership before and after a change. */
interface Change {
  readonly before: MembershipRow
  readonly after: MembershipRow
}

/** Writes a changed membership, and what it opens and the provider has to charge from now on, ms since 1970. */
export async function saveChange(unit: PaymentUnit, { before, after }: Change, now: number): Promise<void> {
  const { tx, enqueue } = unit
  const { id, userId, creatorId: _, ...changed } = after
  await setMembership(tx, id, changed)
  // A renewal may come after the end of what was paid, when rows are closed.
  if (after.state !== 'ended') {
    if (before.endedAt) await reopenGrants(tx, id, Math.min(+before.endedAt, +before.paidUntil))
    await openGrants(tx, id, now)
  }
  await setGrantsEnd(tx, id, now)
  await enqueue('membership.charges', { membershipId: id })
  publishMembership(unit, after)
  if (after.state === 'ended') unit.endConnections({ is: 'permissions', userIds: [userId] })
}

/**
 * Ends the membership of a person with a creator if its time is over: the hourly sweep may not have done so yet, and
 * another one can begin only after it.
 */
export async function endIfOver(
  unit: PaymentUnit,
  { userId, creatorId }: Pick<MembershipRow, 'userId' | 'creatorId'>,
  at: At,
): Promise<void> {
  const running = await findRunning(unit.tx, userId, creatorId)
  if (!running || running.paidUntil.getTime() > at.now) return
  const locked = await lockMembership(unit.tx, running.id)
  if (locked) await applyEvent(unit, locked, { is: 'checked' }, at)
}

/** Publishes to the open apps of the member and of the creator that a membership changed. */
export function publishMembership(
  unit: Pick<PaymentUnit, 'publish'>,
  { id, userId, creatorId, state }: Pick<MembershipRow, 'id' | 'userId' | 'creatorId' | 'state'>,
): void {
  unit.publish({
    channel: personChannel(userId),
    event: 'membership.changed',
    data: { membership_id: id, state },
  })
  publishSales(unit, creatorId)
}
