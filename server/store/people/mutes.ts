// Mutes, which hide a person's posts and comments from the muter's lists.
import { type AnyColumn, and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { notBlocked } from './blocks.ts'
import type { Db } from '#server/store/database.ts'
import type { Given } from '#server/store/statement.ts'
import { mutes } from '#server/store/tables/people.ts'

export async function addMute(db: Db, muterId: string, mutedId: string, now: number): Promise<void> {
  await db
    .insert(mutes)
    .values({ muterId, mutedId, createdAt: new Date(now) })
    .onConflictDoNothing()
}

export async function removeMute(db: Db, muterId: string, mutedId: string): Promise<void> {
  await db.delete(mutes).where(and(eq(mutes.muterId, muterId), eq(mutes.mutedId, mutedId)))
}

interface MutePlace {
  readonly at: Date
  readonly id: string
}

/** People a person has muted, without blocked ones, the latest first; ids break ties. */
export async function listMuted(
  db: Db,
  muterId: string,
  { after, limit }: { after: MutePlace | undefined; limit: number },
): Promise<MutePlace[]> {
  return db
    .select({ id: mutes.mutedId, at: mutes.createdAt })
    .from(mutes)
    .where(
      and(
        eq(mutes.muterId, muterId),
        notBlocked(muterId, mutes.mutedId),
        after &&
          sql`(${mutes.createdAt}, ${mutes.mutedId}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(mutes.createdAt), desc(mutes.mutedId))
    .limit(limit)
}

/**
 * For a where clause: the viewer has not muted the person in this column.
 * @param viewerId the viewer's id, or a column with it; undefined for a visitor, who has no mutes
 */
export function notMuted(viewerId: Given | undefined, column: AnyColumn | SQL): SQL | undefined {
  if (viewerId === undefined) return undefined
  return sql`not exists (select 1 from ${mutes} as own where own.muter_id = ${viewerId} and own.muted_id = ${column})`
}
