// The chain of the audit log: its end, new entries, and all of them.
import { and, asc, count, desc, gt, isNull, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { auditLog } from '#server/store/tables/audit.ts'

type Row = typeof auditLog.$inferSelect

/** An entry that has its place in the chain. */
export type StoredEntry = Row & { readonly seq: number; readonly hash: string }

/** Any number, as long as every process uses the same one. */
const CHAIN_LOCK = 7_240_002

/**
 * Waits until no other transaction adds entries, and keeps it so to the end of this one. Nothing that another transaction may
 * have locked is locked after it, so that the two never wait for each other.
 */
export async function lockChain(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`)
}

/** The number and the hash of the newest entry; undefined without any. */
export async function lastEntry(db: Db): Promise<Pick<StoredEntry, 'seq' | 'hash'> | undefined> {
  const [row] = await db
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .where(isNotNull(auditLog.seq))
    .orderBy(desc(auditLog.seq))
    .limit(1)
  return row && placed(row)
}

/** Adds entries with their places, in a transaction that has locked the chain. */
export async function addEntries(tx: Db, entries: readonly StoredEntry[]): Promise<void> {
  await tx.insert(auditLog).values([...entries])
}

/** The next entries of the chain, in its order. @param after the number of the last one that was read */
export async function readEntries(db: Db, after: number, limit: number): Promise<StoredEntry[]> {
  const rows = await db
    .select()
    .from(auditLog)
    .where(gt(auditLog.seq, after))
    .orderBy(asc(auditLog.seq))
    .limit(limit)
  return rows.map(placed)
}

/** The oldest entry without a place in the chain; undefined without any. */
export async function findUnchained(db: Db): Promise<{ readonly id: string } | undefined> {
  const [row] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(isNull(auditLog.seq))
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .limit(1)
  return row
}

export async function countUnchained(db: Db): Promise<number> {
  const [row] = await db.select({ count: count() }).from(auditLog).where(isNull(auditLog.seq))
  return row?.count ?? 0
}

/** Entries from before the chain, in the order of their time. @param after the last one that was read */
export function readUnchained(
  tx: Db,
  after: Pick<Row, 'at' | 'id'> | undefined,
  limit: number,
): Promise<Row[]> {
  const later = after && sql`(${auditLog.at}, ${auditLog.id}) > (${after.at.toISOString()}, ${after.id})`
  return tx
    .select()
    .from(auditLog)
    .where(and(isNull(auditLog.seq), later))
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .limit(limit)
}

/** Gives entries from before the chain their places. */
export async function placeEntries(
  tx: Db,
  entries: readonly Pick<StoredEntry, 'id' | 'seq' | 'hash'>[],
): Promise<void> {
  const values = JSON.stringify(entries.map(({ id, seq, hash }) => ({ id, seq, hash })))
  await tx.execute(sql`update ${auditLog} set seq = placed.seq, hash = placed.hash
    from jsonb_to_recordset(${values}::jsonb) as placed(id uuid, seq bigint, hash text)
    where ${auditLog.id} = placed.id`)
}

function placed<T extends Pick<Row, 'seq' | 'hash'>>(row: T): T & { seq: number; hash: string } {
  const { seq, hash } = row
  if (seq === null || hash === null) throw new Error('an entry of the audit log has no place')
  return { ...row, seq, hash }
}
