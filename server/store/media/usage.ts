// Storage usage of one person: stored bytes and unfinished uploads.
import { and, eq, isNull, sql } from 'drizzle-orm'
import { LEGACY_CHUNK, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import type { Db } from '#server/store/database.ts'
import { identityChecks, identityFiles } from '#server/store/tables/identity.ts'
import { uploads } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'

export interface Usage {
  readonly unfinished: number
  /** Their announced lengths; an upload without one counts as the largest. */
  readonly bytes: number
}

/** Serialises the transactions that add to a person's usage, so that two cannot exceed a limit together. */
export async function lockUsage(tx: Db, ownerId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
}

/**
 * Sums the bytes of everything that the person sent and the server still has: originals, pictures sent inside a request,
 * avatar and cover, documents of identity checks, and unfinished uploads by their announced length. The sum is of the
 * rows that name the files, so that it cannot differ from them. Files that the server made do not count.
 */
export async function storedBytesOf(db: Db, ownerId: string): Promise<number> {
  const arrived = sql`${uploads.received}::bigint * ${LEGACY_CHUNK}::bigint`
  const announced = sql`coalesce(${uploads.length}, ${arrived}, ${MAX_TOTAL_BYTES})`
  const sent = await db
    .select({ bytes: sql<string>`coalesce(sum(${announced}), 0)` })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.expiredAt)))
  const documents = await db
    .select({ bytes: sql<string>`coalesce(sum(${identityFiles.length}), 0)` })
    .from(identityFiles)
    .innerJoin(identityChecks, eq(identityChecks.id, identityFiles.checkId))
    .where(eq(identityChecks.userId, ownerId))
  return Number(sent[0]?.bytes ?? 0) + Number(documents[0]?.bytes ?? 0)
}

/** Counts a person's unfinished uploads and their bytes. */
export async function unfinishedOf(db: Db, ownerId: string): Promise<Usage> {
  const rows = await db
    .select({
      unfinished: sql<string>`count(*)`,
      bytes: sql<string>`coalesce(sum(coalesce(${uploads.length}, ${MAX_TOTAL_BYTES})), 0)`,
    })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.finishedAt), isNull(uploads.expiredAt)))
  return { unfinished: Number(rows[0]?.unfinished ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}
