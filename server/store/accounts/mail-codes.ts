// Codes sent by email, with the number of tries of each.
import { and, count, desc, eq, gt, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { mailCodes } from '#server/store/tables/accounts.ts'
import { sessions } from '#server/store/tables/people.ts'

export type MailCode = typeof mailCodes.$inferSelect
export type CodePurpose = MailCode['purpose']

/** Adds a code; false when the reset request has one already, since its job ran before. */
export async function addMailCode(db: Db, row: typeof mailCodes.$inferInsert): Promise<boolean> {
  const added = await db.insert(mailCodes).values(row).onConflictDoNothing().returning({ id: mailCodes.id })
  return added.length === 1
}

interface Counted {
  readonly userId: string
  readonly purpose: CodePurpose
  readonly asked: boolean
}

/** How many codes a person was sent since a moment. Unrequested codes that were entered correctly do not count. */
export async function countMailCodes(
  db: Db,
  { userId, purpose, asked: isRequested }: Counted,
  since: number,
): Promise<number> {
  const theirs = and(
    eq(mailCodes.userId, userId),
    eq(mailCodes.purpose, purpose),
    eq(mailCodes.asked, isRequested),
    ...(isRequested ? [] : [isNull(mailCodes.verifiedAt)]),
  )
  const rows = await db
    .select({ n: count() })
    .from(mailCodes)
    .where(and(theirs, gt(mailCodes.createdAt, new Date(since))))
  return Number(rows[0]?.n ?? 0)
}

/** Finds a code and counts the try by one statement, so that concurrent tries are all counted. */
async function countTry(db: Db, which: SQL | undefined): Promise<MailCode | undefined> {
  const tried = await db
    .update(mailCodes)
    .set({ attempts: sql`${mailCodes.attempts} + 1` })
    .where(which)
    .returning()
  return tried[0]
}

/** The code sent for a reset request, with this try counted; undefined, in the same time, when none was sent. */
export function tryResetCode(db: Db, requestHash: string): Promise<MailCode | undefined> {
  return countTry(db, and(eq(mailCodes.purpose, 'reset'), eq(mailCodes.requestHash, requestHash)))
}

/** The newest code sent for a person's change of address, with this try counted. */
export function tryChangeCode(db: Db, userId: string): Promise<MailCode | undefined> {
  const newest = db
    .select({ id: mailCodes.id })
    .from(mailCodes)
    .where(and(eq(mailCodes.userId, userId), eq(mailCodes.purpose, 'change_email')))
    .orderBy(desc(mailCodes.createdAt), desc(mailCodes.id))
    .limit(1)
  return countTry(db, eq(mailCodes.id, sql`(${newest})`))
}

/** Records that a code was entered correctly; false when it was so before. */
export async function verifyMailCode(db: Db, id: string, now: number): Promise<boolean> {
  const verified = await db
    .update(mailCodes)
    .set({ verifiedAt: new Date(now) })
    .where(and(eq(mailCodes.id, id), isNull(mailCodes.verifiedAt)))
    .returning({ id: mailCodes.id })
  return verified.length === 1
}

const openReset = (verifiedAfter: number) =>
  and(
    eq(mailCodes.purpose, 'reset'),
    isNotNull(mailCodes.verifiedAt),
    gt(mailCodes.verifiedAt, new Date(verifiedAfter)),
    isNull(mailCodes.usedAt),
  )

/** The person whose reset is under way. */
export async function findReset(db: Db, id: string, verifiedAfter: number): Promise<string | undefined> {
  const rows = await db
    .select({ userId: mailCodes.userId })
    .from(mailCodes)
    .where(and(eq(mailCodes.id, id), openReset(verifiedAfter)))
  return rows[0]?.userId
}

/** The person whose reset was used since a moment. */
export async function findUsedReset(db: Db, id: string, usedAfter: number): Promise<string | undefined> {
  const rows = await db
    .select({ userId: mailCodes.userId })
    .from(mailCodes)
    .where(
      and(eq(mailCodes.id, id), eq(mailCodes.purpose, 'reset'), gt(mailCodes.usedAt, new Date(usedAfter))),
    )
  return rows[0]?.userId
}

/** The reset under way that a session continues. */
export async function findSessionReset(
  db: Db,
  sessionId: string,
  verifiedAfter: number,
): Promise<string | undefined> {
  const rows = await db
    .select({ id: mailCodes.id })
    .from(sessions)
    .innerJoin(mailCodes, and(eq(mailCodes.id, sessions.resetId), eq(mailCodes.userId, sessions.userId)))
    .where(and(eq(sessions.id, sessionId), openReset(verifiedAfter)))
  return rows[0]?.id
}

/** Uses a reset once; returns its owner. */
export async function takeReset(
  db: Db,
  id: string,
  verifiedAfter: number,
  now: number,
): Promise<string | undefined> {
  const taken = await db
    .update(mailCodes)
    .set({ usedAt: new Date(now) })
    .where(and(eq(mailCodes.id, id), openReset(verifiedAfter)))
    .returning({ userId: mailCodes.userId })
  return taken[0]?.userId
}

/** Deletes a person's codes, except the one just used, which is recognised as used if it comes again. */
export async function removeMailCodes(db: Db, userId: string, except?: string): Promise<void> {
  const theirs = eq(mailCodes.userId, userId)
  await db.delete(mailCodes).where(except === undefined ? theirs : and(theirs, ne(mailCodes.id, except)))
}

export async function removeMailCodesBefore(db: Db, before: number): Promise<void> {
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, new Date(before)))
}
