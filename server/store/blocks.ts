// Who has blocked whom. Both directions hide.
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { blocks } from './tables/settings.ts'

export async function addBlock(db: Db, blockerId: string, blockedId: string, now: number): Promise<void> {
  await db
    .insert(blocks)
    .values({ blockerId, blockedId, createdAt: new Date(now) })
    .onConflictDoNothing()
}

export async function removeBlock(db: Db, blockerId: string, blockedId: string): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
}

export interface BlockPlace {
  readonly at: Date
  readonly id: string
}

/** Whom a person has blocked, the latest first; ids break ties. */
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

/** Which of these people a person has blocked, or is blocked by. */
export async function apartFrom(db: Db, userId: string, others: readonly string[]): Promise<Set<string>> {
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
