// Memberships as notes about an act that stops them name them.
import { and, asc, count, eq, gte, or, type SQL } from 'drizzle-orm'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import type { Db } from '#server/store/database.ts'
import { memberships } from '#server/store/tables/memberships.ts'
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
