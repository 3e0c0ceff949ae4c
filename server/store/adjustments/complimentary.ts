// Complimentary memberships, and what they open.
import { desc, eq, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
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
 * them already.
 * @returns false when the member has the plan already
 */
export async function openComplimentary(
  tx: Db,
  { id, planId }: ComplimentaryRow,
  now: number,
): Promise<boolean> {
  const moment = sql`${momentOf(now)}::timestamptz`
  const { rows } = (await tx.execute(sql`
    insert into plan_members as g
      (plan_id, user_id, joined_at, ends_at, opens_from, complimentary_id, is_included)
    select l.id, c.user_id, ${moment}, c.ends_at,
      case when l.back_numbers = 'since_joining' then ${moment} end, c.id, l.id <> c.plan_id
    from complimentary_memberships c
    join plans p on p.id = c.plan_id
    join plans l on l.creator_id = p.creator_id and (l.id = p.id or (p.opens_cheaper and l.price < p.price))
    where c.id = ${id}
    on conflict (plan_id, user_id) do update set
      joined_at = excluded.joined_at, ends_at = excluded.ends_at, opens_from = excluded.opens_from,
      complimentary_id = excluded.complimentary_id, is_included = excluded.is_included,
      membership_id = null, copies_until = null
    where g.ends_at <= ${moment}
    returning g.plan_id as id`)) as { rows: { id: string }[] }
  return rows.some((row) => row.id === planId)
}

/** Ends what a complimentary membership opens. */
export async function endComplimentary(tx: Db, id: string, now: number): Promise<void> {
  const moment = sql`${momentOf(now)}::timestamptz`
  await tx
    .update(complimentary)
    .set({ endsAt: new Date(now) })
    .where(eq(complimentary.id, id))
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
