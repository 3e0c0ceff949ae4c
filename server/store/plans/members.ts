// Lists of plan members, and of the plans that a person has joined.
import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { isPresent } from '#server/store/people/people.ts'
import { memberships } from '#server/store/tables/memberships.ts'
import { planMembers, plans } from '#server/store/tables/plans.ts'
import { joinedNow } from './plans.ts'

/** The place of a row in a list ordered by the time of joining. */
export interface JoinedPlace {
  readonly id: string
  readonly at: Date
}

const before = (place: JoinedPlace | undefined, rowId: SQL): SQL | undefined =>
  place &&
  sql`(${planMembers.joinedAt}, ${rowId}) < (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`

/**
 * Members of a plan, newest first, without people whom its creator does not see.
 * @returns their ids, with the time of joining
 */
export function listMembers(
  db: Db,
  plan: { readonly id: string; readonly creatorId: string },
  now: number,
  after: JoinedPlace | undefined,
  limit: number,
): Promise<JoinedPlace[]> {
  const current = sql`(${planMembers.endsAt} is null or ${planMembers.endsAt} > ${new Date(now).toISOString()}::timestamptz)`
  const memberId = sql`${planMembers.userId}`
  return db
    .select({ id: planMembers.userId, at: planMembers.joinedAt })
    .from(planMembers)
    .where(
      and(
        eq(planMembers.planId, plan.id),
        eq(planMembers.isIncluded, false),
        current,
        isPresent(memberId),
        notBlocked(plan.creatorId, memberId),
        before(after, memberId),
      ),
    )
    .orderBy(desc(planMembers.joinedAt), desc(planMembers.userId))
    .limit(limit)
}

export interface JoinedPlanRow extends JoinedPlace {
  readonly name: string
  readonly price: number
  readonly creatorId: string
  readonly endsAt: Date | null
  /** The paid membership; null for a plan that was given without payments. */
  readonly membership: MembershipRow | null
}

/**
 * The plans of which a person is a member at this moment, newest first, without those that a dearer
 * plan opens, and without creators who are not present, except what is paid for.
 */
export function listJoined(
  db: Db,
  userId: string,
  now: number,
  after: JoinedPlace | undefined,
  limit: number,
): Promise<JoinedPlanRow[]> {
  return db
    .select({
      id: plans.id,
      name: plans.name,
      price: plans.price,
      creatorId: plans.creatorId,
      at: planMembers.joinedAt,
      endsAt: planMembers.endsAt,
      membership: memberships,
    })
    .from(planMembers)
    .innerJoin(plans, eq(plans.id, planMembers.planId))
    .leftJoin(memberships, eq(memberships.id, planMembers.membershipId))
    .where(
      and(
        joinedNow(userId, now),
        eq(planMembers.isIncluded, false),
        or(isPresent(plans.creatorId), isNotNull(planMembers.membershipId)),
        notBlocked(userId, plans.creatorId),
        before(after, sql`${planMembers.planId}`),
      ),
    )
    .orderBy(desc(planMembers.joinedAt), desc(planMembers.planId))
    .limit(limit)
}
