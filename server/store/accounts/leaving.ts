// Accounts that wait for deletion. A deletion that has begun (`users.deleted_at`) cannot be cancelled.
import { and, asc, eq, gt, isNotNull, lte, notExists, sql } from 'drizzle-orm'
import type { LeavingReason } from '#contract/accounts/leaving.ts'
import type { Db } from '#server/store/database.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { sessions, users } from '#server/store/tables/people.ts'

export interface Leaving {
  readonly requestedAt: Date
  readonly dueAt: Date
}

export interface NewDeletion extends Leaving {
  readonly userId: string
  readonly reason: LeavingReason
  readonly note: string
  readonly undoHash: string
}

/** The owner of a leaving account, for emails. */
export interface Leaver {
  readonly id: string
  readonly requestedAt: Date
  readonly email: string
  readonly name: string
}

export async function findDeletion(db: Db, userId: string): Promise<Leaving | undefined> {
  const rows = await db
    .select({ requestedAt: deletions.requestedAt, dueAt: deletions.dueAt })
    .from(deletions)
    .where(eq(deletions.userId, userId))
  return rows[0]
}

/**
 * @returns false when the deletion was requested before
 */
export async function addDeletion(db: Db, deletion: NewDeletion): Promise<boolean> {
  const added = await db
    .insert(deletions)
    .values(deletion)
    .onConflictDoNothing({ target: deletions.userId })
    .returning({ id: deletions.userId })
  return added.length === 1
}

/**
 * Cancels a deletion, inside a transaction.
 * @param by the person, or the hash of the secret in their email
 * @returns undefined when there is no deletion, or it has begun
 */
export async function removeDeletion(
  tx: Db,
  by: { readonly userId: string } | { readonly undoHash: string },
): Promise<Leaver | undefined> {
  const which = 'userId' in by ? eq(deletions.userId, by.userId) : eq(deletions.undoHash, by.undoHash)
  const found = await tx
    .select({ id: deletions.userId, requestedAt: deletions.requestedAt })
    .from(deletions)
    .where(which)
    .for('update')
  if (!found[0]) return undefined
  // Read by a separate statement: a previous holder of the lock may have begun the deletion.
  const { id, requestedAt } = found[0]
  const leaver = (await tx.select().from(users).where(eq(users.id, id)))[0]
  if (!leaver || leaver.deletedAt !== null) return undefined
  await tx.delete(deletions).where(eq(deletions.userId, id))
  return { id, requestedAt, email: leaver.email, name: leaver.name }
}

/**
 * Makes the deletion of an account due now, whether or not it was requested. Inside a transaction.
 * @returns false when there is no account, or its deletion is done
 */
export async function demandDeletion(tx: Db, userId: string, now: number): Promise<boolean> {
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!row) return false
  const isWaiting = (await findDeletion(tx, userId)) !== undefined
  if (row.deletedAt !== null && !isWaiting) return false
  const at = new Date(now)
  await tx
    .insert(deletions)
    .values({
      userId,
      reason: 'unsaid',
      note: '',
      requestedAt: at,
      dueAt: at,
      undoHash: `restored ${userId}`,
    })
    .onConflictDoUpdate({ target: deletions.userId, set: { dueAt: at } })
  return true
}

/** Accounts whose deletion is due, the longest due first: among them those whose deletion was interrupted. */
export async function listDue(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: deletions.userId })
    .from(deletions)
    .where(lte(deletions.dueAt, new Date(now)))
    .orderBy(deletions.dueAt, deletions.userId)
    .limit(500)
  return rows.map((row) => row.id)
}

/**
 * Begins a deletion, which cannot be cancelled any more, and ends every session. Inside a transaction.
 * @returns false when the deletion was cancelled before
 */
export async function beginDeletion(tx: Db, userId: string, now: number): Promise<boolean> {
  const found = await tx
    .select({ id: deletions.userId })
    .from(deletions)
    .where(and(eq(deletions.userId, userId), lte(deletions.dueAt, new Date(now))))
    .for('update')
  if (found.length === 0) return false
  await tx
    .update(users)
    .set({ deletedAt: sql`coalesce(${users.deletedAt}, ${new Date(now).toISOString()}::timestamptz)` })
    .where(eq(users.id, userId))
  await tx.delete(sessions).where(eq(sessions.userId, userId))
  return true
}

/** Accounts whose deletion is done, in the order of their ids, after one of them. */
export async function listDeleted(
  db: Db,
  after: string,
  limit: number,
): Promise<{ readonly id: string; readonly email: string; readonly deletedAt: Date | null }[]> {
  const waiting = db
    .select({ one: sql`1` })
    .from(deletions)
    .where(eq(deletions.userId, users.id))
  return db
    .select({ id: users.id, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(and(isNotNull(users.deletedAt), notExists(waiting), gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(limit)
}
