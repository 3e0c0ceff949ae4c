// Identity checks and their encrypted files. A check is submitted once; a person has at most one open.
import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { DocumentKind, IdentityPart, RejectReason } from '#contract/identity/identity.ts'
import type { Db } from '#server/store/database.ts'
import { isBelow } from '#server/store/media/upload-keys.ts'
import { identityChecks, identityFiles, identityPrompts } from '#server/store/tables/identity.ts'
import { media, uploads } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'

type Row = typeof identityChecks.$inferSelect
export interface CheckRow extends Row {
  documentKind: DocumentKind
  reason: RejectReason | null
}
export type CheckFileRow = typeof identityFiles.$inferSelect

export type NewCheck = Pick<
  CheckRow,
  'id' | 'userId' | 'idempotencyKey' | 'documentKind' | 'prompts' | 'submittedAt'
>

/**
 * Adds a check, unless the person has an open one. Two UNIQUE constraints decide between concurrent submissions.
 * @returns the check of this key and whether this call made it; undefined when another one is open
 */
export async function addCheckOnce(
  db: Db,
  check: NewCheck,
): Promise<{ check: CheckRow; fresh: boolean } | undefined> {
  const added = await db
    .insert(identityChecks)
    .values({ ...check, state: 'submitted' })
    .onConflictDoNothing()
    .returning()
  if (added[0]) return { check: added[0] as CheckRow, fresh: true }
  const known = await findCheckByKey(db, check.userId, check.idempotencyKey)
  return known && { check: known, fresh: false }
}

export async function findCheckByKey(db: Db, userId: string, key: string): Promise<CheckRow | undefined> {
  const rows = await db
    .select()
    .from(identityChecks)
    .where(and(eq(identityChecks.userId, userId), eq(identityChecks.idempotencyKey, key)))
  return rows[0] as CheckRow | undefined
}

/** A person's newest check. */
export async function findLatestCheck(db: Db, userId: string): Promise<CheckRow | undefined> {
  const rows = await db
    .select()
    .from(identityChecks)
    .where(eq(identityChecks.userId, userId))
    .orderBy(desc(identityChecks.submittedAt), desc(identityChecks.id))
    .limit(1)
  return rows[0] as CheckRow | undefined
}

/** Locks a check for the transaction that changes its state. */
export async function lockCheck(db: Db, id: string): Promise<CheckRow | undefined> {
  const rows = await db.select().from(identityChecks).where(eq(identityChecks.id, id)).for('update')
  return rows[0] as CheckRow | undefined
}

export async function moveCheck(
  db: Db,
  id: string,
  to: Pick<CheckRow, 'state'> & Partial<CheckRow>,
): Promise<void> {
  await db.update(identityChecks).set(to).where(eq(identityChecks.id, id))
}

export async function setIdentified(db: Db, userId: string, at: Date): Promise<void> {
  await db.update(users).set({ identifiedAt: at }).where(eq(users.id, userId))
}

/** Whether an identity check of this person was approved. */
export async function isIdentified(db: Db, userId: string): Promise<boolean> {
  const rows = await db.select({ at: users.identifiedAt }).from(users).where(eq(users.id, userId))
  return (rows[0]?.at ?? null) !== null
}

/**
 * Deletes the rows of finished uploads, whose bytes become a check's. Locks them first, so that neither expiry nor their
 * owner deletes them.
 * @returns how many were this person's own, complete, not expired and unused
 */
export async function takeUploads(db: Db, ids: readonly string[], ownerId: string): Promise<number> {
  const mine = and(inArray(uploads.id, [...ids]), eq(uploads.ownerId, ownerId), isNull(uploads.expiredAt))
  const locked = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(mine, isBelow('identity-uploads')))
    .orderBy(uploads.id)
    .for('update')
  if (locked.length !== ids.length) return 0
  const held = await db
    .select({ id: media.id })
    .from(media)
    .where(inArray(media.id, [...ids]))
  if (held.length > 0) return 0
  return (await db.delete(uploads).where(mine).returning({ id: uploads.id })).length
}

/** @returns false when one of the ids already belongs to a check's file */
export async function addCheckFiles(db: Db, files: readonly CheckFileRow[]): Promise<boolean> {
  const added = await db
    .insert(identityFiles)
    .values([...files])
    .onConflictDoNothing()
    .returning({ id: identityFiles.id })
  return added.length === files.length
}

export async function listCheckFiles(db: Db, checkId: string): Promise<CheckFileRow[]> {
  const rows = await db.select().from(identityFiles).where(eq(identityFiles.checkId, checkId))
  const order: IdentityPart[] = ['front', 'back', 'live']
  return rows.toSorted((a, b) => order.indexOf(a.part) - order.indexOf(b.part))
}

/** A file with the admin who last began to review its check. */
export async function findCheckFile(
  db: Db,
  id: string,
): Promise<(CheckFileRow & { reviewerId: string | null }) | undefined> {
  const rows = await db
    .select({ file: identityFiles, reviewerId: identityChecks.reviewerId })
    .from(identityFiles)
    .innerJoin(identityChecks, eq(identityChecks.id, identityFiles.checkId))
    .where(eq(identityFiles.id, id))
  const [row] = rows
  return row && { ...row.file, reviewerId: row.reviewerId }
}

/** Which of these ids are files of checks. */
export async function knownCheckFiles(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: identityFiles.id })
    .from(identityFiles)
    .where(inArray(identityFiles.id, [...ids]))
  return new Set(rows.map((row) => row.id))
}

/**
 * Deletes file rows of checks decided before a moment.
 * @returns ids of the files, whose encrypted bytes may be removed
 */
export async function removeDecidedFiles(
  db: Db,
  state: 'approved' | 'rejected',
  before: number,
): Promise<string[]> {
  const old = db
    .select({ id: identityChecks.id })
    .from(identityChecks)
    .where(and(eq(identityChecks.state, state), lt(identityChecks.decidedAt, new Date(before))))
  const gone = await db
    .delete(identityFiles)
    .where(inArray(identityFiles.checkId, old))
    .returning({ id: identityFiles.id })
  return gone.map((row) => row.id)
}

/** Deletes the row of a file. @returns whether there was one */
export async function removeCheckFile(db: Db, id: string): Promise<boolean> {
  const gone = await db
    .delete(identityFiles)
    .where(eq(identityFiles.id, id))
    .returning({ id: identityFiles.id })
  return gone.length > 0
}

/**
 * Deletes everything a person submitted for identity checks, at the deletion of an account.
 * @returns ids of the encrypted files, which the caller removes after the commit
 */
export async function removeIdentityOf(db: Db, userId: string): Promise<string[]> {
  const checks = db
    .select({ id: identityChecks.id })
    .from(identityChecks)
    .where(eq(identityChecks.userId, userId))
  const gone = await db
    .delete(identityFiles)
    .where(inArray(identityFiles.checkId, checks))
    .returning({ id: identityFiles.id })
  await db.delete(identityChecks).where(eq(identityChecks.userId, userId))
  await db.delete(identityPrompts).where(eq(identityPrompts.userId, userId))
  return gone.map((row) => row.id)
}
