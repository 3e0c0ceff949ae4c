// How much one person has under way: uploads whose last byte is missing.
import { and, eq, isNull, sql } from 'drizzle-orm'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Db } from './database.ts'
import { uploads } from './tables/media.ts'
import { users } from './tables/people.ts'

export interface Usage {
  readonly unfinished: number
  /** What they will hold; an upload that has not said its length counts as the largest. */
  readonly bytes: number
}

/** Counts inside a transaction; a person's creations wait for each other, so that none slips past a limit. */
export async function unfinishedOf(db: Db, ownerId: string): Promise<Usage> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
  const rows = await db
    .select({
      unfinished: sql<string>`count(*)`,
      bytes: sql<string>`coalesce(sum(coalesce(${uploads.length}, ${MAX_TOTAL_BYTES})), 0)`,
    })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.finishedAt), isNull(uploads.expiredAt)))
  return { unfinished: Number(rows[0]?.unfinished ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}
