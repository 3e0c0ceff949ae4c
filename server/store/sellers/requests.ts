// Requests for sellers' data: adding, answering and listing them.
import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { sellerRequests } from '#server/store/tables/sellers.ts'

export type RequestRow = typeof sellerRequests.$inferSelect
export type Answer = Pick<RequestRow, 'answer' | 'answeredBy' | 'note'>

export async function addRequest(
  tx: Db,
  row: Pick<RequestRow, 'id' | 'creatorId' | 'requesterId' | 'reason' | 'requestedAt' | 'dueAt'>,
): Promise<void> {
  await tx.insert(sellerRequests).values(row)
}

/** A person's latest request for a creator's data. */
export async function findLatestRequest(
  db: Db,
  creatorId: string,
  requesterId: string,
): Promise<RequestRow | undefined> {
  const rows = await db
    .select()
    .from(sellerRequests)
    .where(and(eq(sellerRequests.requesterId, requesterId), eq(sellerRequests.creatorId, creatorId)))
    .orderBy(desc(sellerRequests.requestedAt), desc(sellerRequests.id))
    .limit(1)
  return rows[0]
}

/** How many requests a person has made after a moment, ms since 1970. */
export function countRequests(db: Db, requesterId: string, after: number): Promise<number> {
  return db.$count(
    sellerRequests,
    and(eq(sellerRequests.requesterId, requesterId), gt(sellerRequests.requestedAt, new Date(after))),
  )
}

/** Answers a request that waits. @returns false if it was answered before */
export async function setAnswer(tx: Db, id: string, answer: Answer, now: number): Promise<boolean> {
  const rows = await tx
    .update(sellerRequests)
    .set({ ...answer, answeredAt: new Date(now) })
    .where(and(eq(sellerRequests.id, id), isNull(sellerRequests.answeredAt)))
    .returning({ id: sellerRequests.id })
  return rows.length > 0
}

/** Reads a request and locks it until the end of the transaction. */
export async function lockRequest(tx: Db, id: string): Promise<RequestRow | undefined> {
  return (await tx.select().from(sellerRequests).where(eq(sellerRequests.id, id)).for('update'))[0]
}

/** Requests that wait: all, or those of one creator. The next deadline first. */
export function listWaiting(db: Db, most: number, creatorId?: string): Promise<RequestRow[]> {
  return db
    .select()
    .from(sellerRequests)
    .where(
      and(
        isNull(sellerRequests.answeredAt),
        creatorId === undefined ? undefined : eq(sellerRequests.creatorId, creatorId),
      ),
    )
    .orderBy(asc(sellerRequests.dueAt), asc(sellerRequests.id))
    .limit(most)
}

/** Requests for a creator's data, the newest first. */
export function listReceived(
  db: Db,
  creatorId: string,
  page: { readonly after: { readonly at: Date; readonly id: string } | undefined; readonly limit: number },
): Promise<RequestRow[]> {
  const { after } = page
  return db
    .select()
    .from(sellerRequests)
    .where(
      and(
        eq(sellerRequests.creatorId, creatorId),
        after &&
          sql`(${sellerRequests.requestedAt}, ${sellerRequests.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(sellerRequests.requestedAt), desc(sellerRequests.id))
    .limit(page.limit)
}

/** Requests that wait since a moment without data of the creator, of whom none was reminded. */
export function listUnreminded(db: Db, before: number, most: number): Promise<RequestRow[]> {
  return db
    .select()
    .from(sellerRequests)
    .where(
      and(
        isNull(sellerRequests.answeredAt),
        isNull(sellerRequests.remindedAt),
        lte(sellerRequests.requestedAt, new Date(before)),
        sql`not exists (select 1 from sellers s where s.user_id = ${sellerRequests.creatorId})`,
      ),
    )
    .orderBy(asc(sellerRequests.dueAt), asc(sellerRequests.id))
    .limit(most)
}

/** Records the reminder for all requests of a creator that wait. */
export async function setReminded(tx: Db, creatorId: string, now: number): Promise<void> {
  await tx
    .update(sellerRequests)
    .set({ remindedAt: new Date(now) })
    .where(and(eq(sellerRequests.creatorId, creatorId), isNull(sellerRequests.answeredAt)))
}

/** Removes answered requests that were made before a moment, ms since 1970. */
export async function removeOldRequests(db: Db, before: number): Promise<void> {
  const isOld = lte(sellerRequests.requestedAt, new Date(before))
  await db.delete(sellerRequests).where(and(isOld, isNotNull(sellerRequests.answeredAt)))
}

/** Removes a person from their requests: those that wait are deleted, the others stay in the creator's log. */
export async function removeRequester(tx: Db, userId: string): Promise<void> {
  const isTheirs = eq(sellerRequests.requesterId, userId)
  await tx.delete(sellerRequests).where(and(isTheirs, isNull(sellerRequests.answeredAt)))
  await tx.update(sellerRequests).set({ requesterId: null, reason: '', note: '' }).where(isTheirs)
}

/** The requests that a person made, oldest first. */
export function listMade(db: Db, requesterId: string): Promise<RequestRow[]> {
  return db
    .select()
    .from(sellerRequests)
    .where(eq(sellerRequests.requesterId, requesterId))
    .orderBy(asc(sellerRequests.requestedAt), asc(sellerRequests.id))
}
