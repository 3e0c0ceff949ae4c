// Sellers' data, and what decides who may see them: sales, purchases and blocks.
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'
import { sellers } from '#server/store/tables/sellers.ts'

export type SellerRow = typeof sellers.$inferSelect

export async function findSeller(db: Db, userId: string): Promise<SellerRow | undefined> {
  return (await db.select().from(sellers).where(eq(sellers.userId, userId)))[0]
}

/** Stores the data in the place of earlier ones. */
export async function setSeller(tx: Db, row: SellerRow): Promise<void> {
  const { userId: _owner, ...changed } = row
  await tx.insert(sellers).values(row).onConflictDoUpdate({ target: sellers.userId, set: changed })
}

/** @returns false if there were none */
export async function removeSeller(tx: Db, userId: string): Promise<boolean> {
  const removed = await tx.delete(sellers).where(eq(sellers.userId, userId)).returning({ id: sellers.userId })
  return removed.length > 0
}

/** Whether a creator offers something: a plan that has not ended, also a paused one, or a released post with a price. */
export async function sellsAt(db: Db, userId: string, now: number): Promise<boolean> {
  const { rows } = (await db.execute(
    sql`select exists (select 1 from plans where creator_id = ${userId}
        and (ends_at is null or ends_at > ${momentOf(now)}::timestamptz))
      or exists (select 1 from posts where author_id = ${userId} and type = 3 and released_at is not null and deleted_at is null)
      as sells`,
  )) as { rows: { sells: boolean }[] }
  return rows[0]?.sells ?? false
}

/** Facts about two people that decide a request. */
export interface Between {
  /** Has paid the creator, without a refund or a dispute. A plan or post that was given needs no card, and does not count. */
  readonly buys: boolean
  /** Has paid the creator, whatever became of the money. */
  readonly paid: boolean
  readonly blocked: boolean
  readonly identified: boolean
}

/** What a person has paid a creator, and the blocks of the two, read by one statement. */
export async function factsBetween(db: Db, creatorId: string, personId: string): Promise<Between> {
  const { rows } = (await db.execute(
    sql`select
      exists (select 1 from payments
        where user_id = ${personId} and creator_id = ${creatorId} and state = 'paid') as buys,
      exists (select 1 from payments
        where user_id = ${personId} and creator_id = ${creatorId} and paid_at is not null) as paid,
      exists (select 1 from blocks where (blocker_id = ${personId} and blocked_id = ${creatorId})
        or (blocker_id = ${creatorId} and blocked_id = ${personId})) as blocked,
      exists (select 1 from users where id = ${personId} and identified_at is not null) as identified`,
  )) as { rows: Between[] }
  return rows[0] ?? { buys: false, paid: false, blocked: false, identified: false }
}
