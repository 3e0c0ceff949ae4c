// What members do with their memberships: stopping, taking it back, changing the plan.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { applyEvent } from '#server/services/memberships/change.ts'
import { type Next, revokeNext, setNext } from '#server/services/memberships/next.ts'
import { atOf, stopCharges } from '#server/services/memberships/stop.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import type { Db } from '#server/store/database.ts'
import { lockMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { accountState } from '#server/store/people/people.ts'
import { findPlan } from '#server/store/plans/plans.ts'

export interface Own {
  readonly memberId: string
  readonly membershipId: string
}

/** @throws ApiError `not_found` for a membership of another person */
async function lockOwn(tx: Db, { memberId, membershipId }: Own): Promise<MembershipRow> {
  const row = await lockMembership(tx, membershipId)
  if (row?.userId !== memberId) throw new ApiError('not_found')
  return row
}

const change = (
  deps: Deps,
  own: Own,
  work: (unit: PaymentUnit, row: MembershipRow) => Promise<MembershipRow>,
): Promise<MembershipRow> => deps.transaction(async (unit) => work(unit, await lockOwn(unit.tx, own)))

/** Stops the charges of an own membership; without running charges it changes nothing. */
export const cancelOwn = (deps: Deps, own: Own): Promise<MembershipRow> =>
  change(deps, own, (unit, row) => stopCharges(deps, unit, row, 'cancelled'))

/**
 * Takes the stop of an own membership back.
 * @param price the monthly price that the page showed, whole yen
 * @throws ApiError `price_changed`; `conflict` when it has ended, its plan ends, or its creator is not there
 */
export const resumeOwn = (deps: Deps, own: Own, price: number): Promise<MembershipRow> =>
  change(deps, own, async (unit, row) => {
    const { tx } = unit
    if (row.price !== price) throw new ApiError('price_changed')
    if (row.state === 'active') return row
    const plan = await findPlan(tx, row.planId)
    const isThere = (await accountState(tx, row.creatorId)) === 'present'
    const isBlocked = (await blockedAmong(tx, row.userId, [row.creatorId])).size > 0
    if (!plan || plan.endsAt !== null || !isThere || isBlocked) throw new ApiError('conflict')
    const resumed = await applyEvent(unit, row, { is: 'resume_requested' }, atOf(deps))
    if (resumed.row.state !== 'active') throw new ApiError('conflict')
    return resumed.row
  })

/**
 * Changes the plan or the price of an own membership from its next charge on.
 * @throws ApiError `conflict`, `not_found`, `plan_closed`, `price_changed`
 */
export const changeOwn = (deps: Deps, own: Own, next: Next): Promise<MembershipRow> =>
  change(deps, own, async (unit, row) => {
    const result = await setNext(unit, row, next, atOf(deps))
    if (typeof result === 'string') throw new ApiError(result)
    return result
  })

/** Takes the change of an own membership back. */
export const revokeOwnChange = (deps: Deps, own: Own): Promise<MembershipRow> =>
  change(deps, own, async (unit, row) => (await revokeNext(unit, row.id)) ?? row)
