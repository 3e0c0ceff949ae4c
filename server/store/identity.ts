// Identity checks: sent exactly once each, at most one open per person, their files sealed and apart from media.
import { and, asc, desc, eq, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import {
  type DocumentKind,
  IDENTITY_PURPOSE,
  type IdentityPart,
  type RejectReason,
} from '#contract/identity.ts'
import type { Db } from './database.ts'
import { identityChecks, identityFiles, identityPrompts } from './tables/identity.ts'
import { media, uploads } from './tables/media.ts'
import { users } from './tables/people.ts'
import { userDetails } from './tables/settings.ts'

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
 * Adds a check. Unique (person, key) and unique open check per person decide between racing submissions.
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

/** Locks a check for the transaction that moves it. */
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
 * Takes finished uploads out of the uploads for good. Locks them first, so that neither expiry nor their owner removes
 * them meanwhile.
 * @returns how many were this person's own, whole, alive and held by nothing
 */
export async function takeUploads(db: Db, ids: readonly string[], ownerId: string): Promise<number> {
  const mine = and(inArray(uploads.id, [...ids]), eq(uploads.ownerId, ownerId), isNull(uploads.expiredAt))
  const locked = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(mine, sql`${uploads.metadata} ->> 'purpose' = ${IDENTITY_PURPOSE}`))
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

/** @returns false when one of the ids was a check's file before */
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

/** A file with the admin who took its check last. */
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

/** Forgets the files of checks decided before a moment. @returns their ids, whose sealed bytes may go */
export async function forgetFilesDecided(
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

/**
 * Forgets everything a person sent to prove who they are; for the deletion of an account.
 * @returns ids of the sealed files, which the caller removes once this is committed
 */
export async function forgetIdentityOf(db: Db, userId: string): Promise<string[]> {
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

export interface ListedCheck {
  readonly check: CheckRow
  readonly name: string
  /** Name of the admin who took it last. */
  readonly reviewerName: string | null
}

const reviewers = alias(users, 'reviewers')

/** Which checks a list holds for the admin who asks. */
export type CheckList = 'waiting' | 'mine' | 'others' | 'decided'

function isListed(list: CheckList, adminId: string): SQL | undefined {
  const inReview = eq(identityChecks.state, 'in_review')
  switch (list) {
    case 'waiting':
      return eq(identityChecks.state, 'submitted')
    case 'mine':
      return and(inReview, eq(identityChecks.reviewerId, adminId))
    case 'others':
      return and(inReview, ne(identityChecks.reviewerId, adminId))
    case 'decided':
      return inArray(identityChecks.state, ['approved', 'rejected'])
    default:
      return list satisfies never
  }
}

/** A page of checks: open ones by the time of their submission, decided ones the latest first; ids break ties. */
export async function listChecksOf(
  db: Db,
  { list, adminId }: { readonly list: CheckList; readonly adminId: string },
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<ListedCheck[]> {
  const latestFirst = list === 'decided'
  const place = sql`(${identityChecks.submittedAt}, ${identityChecks.id})`
  const start = after && sql`(${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
  const order = latestFirst ? desc : asc
  const rows = await db
    .select({ check: identityChecks, name: users.name, reviewerName: reviewers.name })
    .from(identityChecks)
    .innerJoin(users, eq(users.id, identityChecks.userId))
    .leftJoin(reviewers, eq(reviewers.id, identityChecks.reviewerId))
    .where(
      and(
        isListed(list, adminId),
        start && (latestFirst ? sql`${place} < ${start}` : sql`${place} > ${start}`),
      ),
    )
    .orderBy(order(identityChecks.submittedAt), order(identityChecks.id))
    .limit(limit)
  return rows as ListedCheck[]
}

export interface CheckDetail extends ListedCheck {
  readonly email: string
  readonly birthDate: string
  readonly legalName: string | null
  readonly legalNameKana: string | null
}

/** A check with what its person says of themselves. */
export async function findCheck(db: Db, id: string): Promise<CheckDetail | undefined> {
  const rows = await db
    .select({
      check: identityChecks,
      name: users.name,
      reviewerName: reviewers.name,
      email: users.email,
      birthDate: users.birthDate,
      legalName: userDetails.legalName,
      legalNameKana: userDetails.legalNameKana,
    })
    .from(identityChecks)
    .innerJoin(users, eq(users.id, identityChecks.userId))
    .leftJoin(reviewers, eq(reviewers.id, identityChecks.reviewerId))
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .where(eq(identityChecks.id, id))
  return rows[0] as CheckDetail | undefined
}
