// Notices of the provider: stored as they arrive, handled once, counted.
import { and, count, eq, gt, inArray, isNull, lt, type SQL } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { paymentNotices, payments } from '#server/store/tables/payments.ts'

export type NoticeRow = typeof paymentNotices.$inferSelect
export type NewNotice = typeof paymentNotices.$inferInsert

/** The outcome of a notice that a card was refused. */
export const CARD_REFUSED = 'card_refused'

/**
 * Stores a notice, unless it is stored already.
 * @returns the id of the stored notice, and whether this call stored it
 */
export async function addNoticeOnce(tx: Db, notice: NewNotice): Promise<{ id: string; fresh: boolean }> {
  const added = await tx
    .insert(paymentNotices)
    .values(notice)
    .onConflictDoNothing()
    .returning({ id: paymentNotices.id })
  if (added[0]) return { id: added[0].id, fresh: true }
  const { provider, chargeRef, kind, digest } = notice
  const same = and(
    eq(paymentNotices.provider, provider),
    eq(paymentNotices.chargeRef, chargeRef),
    eq(paymentNotices.kind, kind),
    eq(paymentNotices.digest, digest),
  )
  const first = (await tx.select({ id: paymentNotices.id }).from(paymentNotices).where(same))[0]
  if (!first) throw new Error('the notice was refused as a duplicate, but no notice has its key')
  return { id: first.id, fresh: false }
}

/** Outcomes of notices that money of a charge was taken back at the provider, which is not so here. */
const takenBackThere = ['refunded_there', 'disputed_there'] as const

/** Whether an earlier notice reported that money of a charge was taken back. */
export async function wasTakenBack(db: Db, provider: string, chargeRef: string): Promise<boolean> {
  const same = and(
    eq(paymentNotices.provider, provider),
    eq(paymentNotices.chargeRef, chargeRef),
    inArray(paymentNotices.outcome, [...takenBackThere]),
  )
  const rows = await db.select({ id: paymentNotices.id }).from(paymentNotices).where(same).limit(1)
  return rows.length > 0
}

/** Reads a notice and locks it until the end of the transaction. */
export async function lockNotice(tx: Db, id: string): Promise<NoticeRow | undefined> {
  return (await tx.select().from(paymentNotices).where(eq(paymentNotices.id, id)).for('update'))[0]
}

export async function setNoticeHandled(
  tx: Db,
  id: string,
  handled: { readonly outcome: string; readonly paymentId: string | null },
  now: number,
): Promise<void> {
  await tx
    .update(paymentNotices)
    .set({ ...handled, handledAt: new Date(now) })
    .where(eq(paymentNotices.id, id))
}

/**
 * Ids of a provider's notices that arrived before a moment and are not handled, oldest first. Those of a provider that is no
 * longer configured would keep the others from being handled.
 */
export async function listUnhandled(
  db: Db,
  provider: string,
  before: number,
  most: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: paymentNotices.id })
    .from(paymentNotices)
    .where(
      and(
        eq(paymentNotices.provider, provider),
        isNull(paymentNotices.handledAt),
        lt(paymentNotices.receivedAt, new Date(before)),
      ),
    )
    .orderBy(paymentNotices.receivedAt)
    .limit(most)
  return rows.map((row) => row.id)
}

async function countRefused(db: Db, whose: SQL, after: number): Promise<number> {
  const refused = and(
    eq(paymentNotices.outcome, CARD_REFUSED),
    gt(paymentNotices.receivedAt, new Date(after)),
    whose,
  )
  const rows = await db
    .select({ refused: count() })
    .from(paymentNotices)
    .innerJoin(payments, eq(payments.id, paymentNotices.paymentId))
    .where(refused)
  return Number(rows[0]?.refused ?? 0)
}

/** How many cards of a person were refused after a moment. */
export const countRefusedOfPerson = (db: Db, userId: string, after: number): Promise<number> =>
  countRefused(db, eq(payments.userId, userId), after)

/** How many cards were refused in payments from a network after a moment. */
export const countRefusedOfNetwork = (db: Db, networkMac: string, after: number): Promise<number> =>
  countRefused(db, eq(payments.networkMac, networkMac), after)
