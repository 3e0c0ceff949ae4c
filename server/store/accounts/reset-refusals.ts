// People who refuse reset codes that they did not request.
import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { resetRefusals } from '#server/store/tables/accounts.ts'

export async function refuseCodes(db: Db, userId: string, until: number): Promise<void> {
  const row = { until: new Date(until) }
  await db
    .insert(resetRefusals)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: resetRefusals.userId, set: row })
}

export async function allowCodes(db: Db, userId: string): Promise<void> {
  await db.delete(resetRefusals).where(eq(resetRefusals.userId, userId))
}

/** Until when a person refuses unrequested codes; null when they do not. */
export async function refusedUntil(db: Db, userId: string, now: number): Promise<Date | null> {
  const rows = await db
    .select({ until: resetRefusals.until })
    .from(resetRefusals)
    .where(and(eq(resetRefusals.userId, userId), gt(resetRefusals.until, new Date(now))))
  return rows[0]?.until ?? null
}

export async function removeRefusalsBefore(db: Db, now: number): Promise<void> {
  await db.delete(resetRefusals).where(lte(resetRefusals.until, new Date(now)))
}
