// Memberships as notes about an act that stops them name them.
import { and, asc, count, eq, gt, gte, or, type SQL, sql } from 'drizzle-orm'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import type { Db } from '#server/store/database.ts'
import { memberships } from '#server/store/tables/memberships.ts'
import { payments } from '#server/store/tables/payments.ts'
import { users } from '#server/store/tables/people.ts'
import { plans } from '#server/store/tables/plans.ts'
import { isCharged, isRunning } from './memberships.ts'

async function notes(db: Db, which: SQL | undefined): Promise<MembershipNote[]> {
  const rows = await db
    .select({ it: memberships, plan: plans.name, creator: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.creatorId))
    .leftJoin(plans, eq(plans.id, memberships.planId))
    .where(which)
    .orderBy(asc(memberships.joinedAt), asc(memberships.id))
  return rows.map(({ it, plan, creator }) => ({
    id: it.id,
    plan: plan ?? '',
    creator,
    price: it.price,
    paid_until: it.paidUntil.toISOString(),
    renews: it.state === 'active' || it.state === 'past_due',
  }))
}

/** A person's memberships that have not ended. */
export const notesOfMember = (db: Db, memberId: string): Promise<MembershipNote[]> =>
  notes(db, and(eq(memberships.userId, memberId), isRunning))

/** A person's memberships whose charges their leaving or suspension has stopped since a moment, also those that ended then. */
export const notesStoppedByLeaving = (db: Db, memberId: string, since: Date): Promise<MembershipNote[]> =>
  notes(
    db,
    and(
      eq(memberships.userId, memberId),
      eq(memberships.why, 'member_left'),
      gte(memberships.stoppedAt, since),
    ),
  )

/** The running membership of a person with a creator. */
export const noteBetween = async (
  db: Db,
  memberId: string,
  creatorId: string,
): Promise<MembershipNote | undefined> =>
  (await notes(db, and(eq(memberships.userId, memberId), eq(memberships.creatorId, creatorId), isRunning)))[0]

const isStoppedByCreator = (since: Date): SQL | undefined =>
  and(eq(memberships.why, 'creator_left'), gte(memberships.stoppedAt, since))

async function countMembers(db: Db, creatorId: string, which: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(memberships)
    .where(and(eq(memberships.creatorId, creatorId), which))
  return row?.count ?? 0
}

/** The number of a creator's members whose charges go on, or were stopped since a moment because the creator left. */
export const countCharged = (db: Db, creatorId: string, since: Date | null): Promise<number> =>
  countMembers(db, creatorId, since === null ? isCharged : or(isCharged, isStoppedByCreator(since)))

/** The number of a creator's members whose charges were stopped since a moment because the creator left, and have not gone on. */
export const countStopped = (db: Db, creatorId: string, since: Date): Promise<number> =>
  countMembers(db, creatorId, isStoppedByCreator(since))

/** A creator's plans by their places, with the number of members whose charges go on or were stopped as above. */
export async function chargedByPlan(
  db: Db,
  creatorId: string,
  since: Date | null,
): Promise<{ readonly name: string; readonly members: number }[]> {
  const counted = since === null ? isCharged : or(isCharged, isStoppedByCreator(since))
  return db
    .select({ name: plans.name, members: count(memberships.id) })
    .from(plans)
    .leftJoin(memberships, and(eq(memberships.planId, plans.id), counted))
    .where(eq(plans.creatorId, creatorId))
    .groupBy(plans.id)
    .orderBy(asc(plans.position), asc(plans.price), asc(plans.id))
}

/** What is left of payments for months of a creator's running memberships that end after a moment, with the rate of the fee. */
export async function monthsBeyond(
  db: Db,
  creatorId: string,
  at: Date,
): Promise<{ readonly left: number; readonly feeRate: number }[]> {
  return db
    .select({
      left: sql<number>`(${payments.amount} - ${payments.refundedAmount})::int`,
      feeRate: payments.feeRate,
    })
    .from(payments)
    .innerJoin(memberships, eq(memberships.id, payments.membershipId))
    .where(
      and(
        eq(memberships.creatorId, creatorId),
        isRunning,
        eq(payments.state, 'paid'),
        gt(payments.periodUntil, at),
      ),
    )
}
