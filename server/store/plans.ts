// Plans and their members.
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from './database.ts'
import { planMembers, plans } from './tables/plans.ts'

export type Plan = typeof plans.$inferSelect

export async function addPlan(db: Db, plan: typeof plans.$inferInsert): Promise<void> {
  await db.insert(plans).values(plan)
}

export async function joinPlan(db: Db, planId: string, userId: string, now: number): Promise<void> {
  await db
    .insert(planMembers)
    .values({ planId, userId, joinedAt: new Date(now) })
    .onConflictDoNothing()
}

/** A creator's plans, cheapest first. */
export async function listPlansOf(db: Db, creatorId: string): Promise<Plan[]> {
  return db
    .select()
    .from(plans)
    .where(eq(plans.creatorId, creatorId))
    .orderBy(asc(plans.price), asc(plans.id))
}

/** How many of these plans belong to this creator. */
export async function ownPlanIds(db: Db, creatorId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: plans.id })
    .from(plans)
    .where(and(eq(plans.creatorId, creatorId), inArray(plans.id, [...ids])))
  return new Set(rows.map((row) => row.id))
}

export async function joinedPlanIds(db: Db, userId: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: planMembers.planId })
    .from(planMembers)
    .where(eq(planMembers.userId, userId))
  return new Set(rows.map((row) => row.id))
}
