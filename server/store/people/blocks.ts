// Blocks of people. A block in either direction hides the two from each other.
import { type AnyColumn, and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { Given } from '#server/store/statement.ts'
import { follows } from '#server/store/tables/people.ts'
import { blocks } from '#server/store/tables/settings.ts'

/** Blocks a person and ends the follows between the two. */
export async function addBlock(db: Db, blockerId: string, blockedId: string, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPair(tx, blockerId, blockedId)
    await tx
      .insert(blocks)
      .values({ blockerId, blockedId, createdAt: new Date(now) })
      .onConflictDoNothing()
    await tx
      .delete(follows)
      .where(
        or(
          and(eq(follows.followerId, blockerId), eq(follows.followedId, blockedId)),
          and(eq(follows.followerId, blockedId), eq(follows.followedId, blockerId)),
        ),
      )
  })
}

/**
 * Serialises transactions about the same two people. Otherwise a follow that read no block could be committed together
 * with one.
 */
export async function lockPair(tx: Db, one: string, other: string): Promise<void> {
  const pair = [one, other].sort().join(' ')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 0))`)
}

export async function removeBlock(db: Db, blockerId: string, blockedId: string): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
}

export interface BlockPlace {
  readonly at: Date
  readonly id: string
}

/** People whom a person has blocked, the latest first; ids break ties. */
export async function listBlocked(
  db: Db,
  blockerId: string,
  page: { after: BlockPlace | undefined; limit: number },
): Promise<BlockPlace[]> {
  const { after } = page
  return db
    .select({ id: blocks.blockedId, at: blocks.createdAt })
    .from(blocks)
    .where(
      and(
        eq(blocks.blockerId, blockerId),
        after &&
          sql`(${blocks.createdAt}, ${blocks.blockedId}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(blocks.createdAt), desc(blocks.blockedId))
    .limit(page.limit)
}

/** Those of these people who are blocked for a person, in either direction. */
export async function blockedAmong(db: Db, userId: string, others: readonly string[]): Promise<Set<string>> {
  if (others.length === 0) return new Set()
  const ids = [...new Set(others)]
  const rows = await db
    .select({ blocker: blocks.blockerId, blocked: blocks.blockedId })
    .from(blocks)
    .where(
      or(
        and(eq(blocks.blockerId, userId), inArray(blocks.blockedId, ids)),
        and(eq(blocks.blockedId, userId), inArray(blocks.blockerId, ids)),
      ),
    )
  return new Set(rows.map((row) => (row.blocker === userId ? row.blocked : row.blocker)))
}

/**
 * For a where clause: the viewer and the person in this column are not blocked. Two separate lookups, since one `or`
 * would make the database read every block of both.
 * @param viewerId the viewer's id, or a column with it; undefined for a visitor, who has no blocks
 */
export function notBlocked(viewerId: Given | undefined, column: AnyColumn | SQL): SQL | undefined {
  if (viewerId === undefined) return undefined
  return sql`(not exists (select 1 from ${blocks} as made where made.blocker_id = ${viewerId} and made.blocked_id = ${column})
    and not exists (select 1 from ${blocks} as met where met.blocked_id = ${viewerId} and met.blocker_id = ${column}))`
}
