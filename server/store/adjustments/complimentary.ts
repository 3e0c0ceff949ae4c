// Complimentary memberships, and what they open.
import { desc, eq, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { openGifts } from '#server/store/plans/grants.ts'
import { openGrantsOf } from '#server/store/plans/plans.ts'
import { momentOf } from '#server/store/statement.ts'
import { complimentary } from '#server/store/tables/adjustments.ts'
import { plans } from '#server/store/tables/plans.ts'

export type ComplimentaryRow = typeof complimentary.$inferSelect

/** Adds a complimentary membership. @returns false when its id is taken */
export async function addComplimentary(tx: Db, row: ComplimentaryRow): Promise<boolean> {
  const added = await tx
    .insert(complimentary)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: complimentary.id })
  return added.length === 1
}

export async function findComplimentary(db: Db, id: string): Promise<ComplimentaryRow | undefined> {
  return (await db.select().from(complimentary).where(eq(complimentary.id, id)))[0]
}

/** Reads one and locks it until the end of the transaction. */
export async function lockComplimentary(tx: Db, id: string): Promise<ComplimentaryRow | undefined> {
  return (await tx.select().from(complimentary).where(eq(complimentary.id, id)).for('update'))[0]
}

/**
 * Opens the plan of a complimentary membership and, where it opens them, the cheaper plans of its creator, unless the member has
 * the plan already.
 * @returns false when the member has the plan already
 */
export async function openComplimentary(
  tx: Db,
  { id, planId, userId }: ComplimentaryRow,
  now: number,
): Promise<boolean> {
  if (planId === null || (await openGrantsOf(tx, planId, userId, now)).length > 0) return false
  await openGifts(tx, sql`c.id = ${id}`, now)
  return true
}

/** Ends what a complimentary membership opens: a trigger copies its end to its grants. */
export async function endComplimentary(tx: Db, id: string, now: number): Promise<void> {
  const moment = sql`${momentOf(now)}::timestamptz`
  await tx
    .update(complimentary)
    .set({ endsAt: new Date(now) })
    .where(eq(complimentary.id, id))
  // Rows of the version before.
  await tx.execute(
    sql`update plan_members set ends_at = ${moment} where complimentary_id = ${id} and ends_at > ${moment}`,
  )
}

/** The latest 100 that a person has as a member, or that are of this person's plans. */
export function listComplimentaryOf(
  db: Db,
  personId: string,
): Promise<(ComplimentaryRow & { readonly plan: string | null })[]> {
  return db
    .select({
      id: complimentary.id,
      userId: complimentary.userId,
      creatorId: complimentary.creatorId,
      planId: complimentary.planId,
      paid: complimentary.paid,
      reason: complimentary.reason,
      actorId: complimentary.actorId,
      createdAt: complimentary.createdAt,
      endsAt: complimentary.endsAt,
      plan: plans.name,
    })
    .from(complimentary)
    .leftJoin(plans, eq(plans.id, complimentary.planId))
    .where(or(eq(complimentary.userId, personId), eq(complimentary.creatorId, personId)))
    .orderBy(desc(complimentary.createdAt), desc(complimentary.id))
    .limit(100)
}
