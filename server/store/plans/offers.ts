// Writes what creators offer: plans, their order, their end.
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { plans } from '#server/store/tables/plans.ts'
import { isRunning, type Plan } from './plans.ts'

export type NewPlan = typeof plans.$inferInsert
export type PlanChange = Partial<
  Pick<
    NewPlan,
    | 'name'
    | 'price'
    | 'description'
    | 'thanks'
    | 'acceptsMembers'
    | 'memberLimit'
    | 'opensCheaper'
    | 'backNumbers'
    | 'settlesAt'
  >
>

/** How many plans of a creator have not ended. */
export function countRunningPlans(db: Db, creatorId: string, now: number): Promise<number> {
  return db.$count(plans, and(eq(plans.creatorId, creatorId), isRunning(now)))
}

/**
 * Adds a plan after the creator's others.
 * @returns the creator of the plan with this id: another person's id when it is taken
 */
export async function addPlanOnce(tx: Db, plan: Omit<NewPlan, 'position'>): Promise<string> {
  const last = sql`(select coalesce(max(${plans.position}), 0) + 1 from ${plans} where ${eq(plans.creatorId, plan.creatorId)})`
  await tx
    .insert(plans)
    .values({ ...plan, position: last as never })
    .onConflictDoNothing({ target: plans.id })
  const rows = await tx.select({ creatorId: plans.creatorId }).from(plans).where(eq(plans.id, plan.id))
  return rows[0]?.creatorId ?? plan.creatorId
}

/** The end and the offer of a plan, and its creator, locked until the end of the transaction. */
export async function lockPlan(
  tx: Db,
  id: string,
): Promise<Pick<Plan, 'creatorId' | 'endsAt' | 'price' | 'opensCheaper'> | undefined> {
  const rows = await tx
    .select({
      creatorId: plans.creatorId,
      endsAt: plans.endsAt,
      price: plans.price,
      opensCheaper: plans.opensCheaper,
    })
    .from(plans)
    .where(eq(plans.id, id))
    .for('update')
  return rows[0]
}

export async function setPlan(tx: Db, id: string, changed: PlanChange): Promise<void> {
  if (Object.keys(changed).length > 0) await tx.update(plans).set(changed).where(eq(plans.id, id))
}

export async function setPlanEnd(tx: Db, id: string, endsAt: number): Promise<void> {
  await tx
    .update(plans)
    .set({ endsAt: new Date(endsAt) })
    .where(eq(plans.id, id))
}

/** Sets the places of a creator's plans. Plans without a place come after those with one. */
export async function setPlanOrder(tx: Db, creatorId: string, ids: readonly string[]): Promise<void> {
  const place = sql`coalesce(array_position(${sql.param([...ids])}::uuid[], ${plans.id}), ${ids.length + 1})`
  await tx.update(plans).set({ position: place }).where(eq(plans.creatorId, creatorId))
}
