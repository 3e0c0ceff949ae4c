// Recoveries of sign-in that staff began: the link, the waiting time, and the ends.
import { and, desc, eq, gt, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { RecoveryState } from '#contract/administration/person-acts.ts'
import type { Db } from '#server/store/database.ts'
import { accountRecoveries } from '#server/store/tables/accounts.ts'

export type Recovery = typeof accountRecoveries.$inferSelect

const isOpen = and(isNull(accountRecoveries.stoppedAt), isNull(accountRecoveries.doneAt))

export async function addRecovery(tx: Db, row: typeof accountRecoveries.$inferInsert): Promise<void> {
  await tx.insert(accountRecoveries).values(row)
}

export async function newestRecovery(db: Db, userId: string): Promise<Recovery | undefined> {
  const rows = await db
    .select()
    .from(accountRecoveries)
    .where(eq(accountRecoveries.userId, userId))
    .orderBy(desc(accountRecoveries.createdAt), desc(accountRecoveries.id))
    .limit(1)
  return rows[0]
}

export function recoveryState(it: Recovery, now: number): RecoveryState {
  if (it.doneAt !== null) return 'done'
  if (it.stoppedAt !== null) return 'stopped'
  if (it.confirmedAt !== null) return 'confirmed'
  return it.expiresAt.getTime() > now ? 'sent' : 'expired'
}

/** Uses the link once. @returns undefined for an unknown, used, stopped or expired one */
export async function confirmRecovery(
  tx: Db,
  tokenHash: string,
  { stopHash, dueAt, now }: { stopHash: string; dueAt: Date; now: number },
): Promise<Recovery | undefined> {
  const rows = await tx
    .update(accountRecoveries)
    .set({ confirmedAt: new Date(now), stopHash, dueAt })
    .where(
      and(
        eq(accountRecoveries.tokenHash, tokenHash),
        isNull(accountRecoveries.confirmedAt),
        gt(accountRecoveries.expiresAt, new Date(now)),
        isOpen,
      ),
    )
    .returning()
  return rows[0]
}

/** Stops a recovery by the link of its email. */
export async function stopRecovery(tx: Db, stopHash: string, now: number): Promise<Recovery | undefined> {
  const rows = await tx
    .update(accountRecoveries)
    .set({ stoppedAt: new Date(now) })
    .where(and(eq(accountRecoveries.stopHash, stopHash), isOpen))
    .returning()
  return rows[0]
}

/** Stops what is under way for a person. @returns how many */
export async function stopRecoveriesOf(tx: Db, userId: string, now: number): Promise<number> {
  const rows = await tx
    .update(accountRecoveries)
    .set({ stoppedAt: new Date(now) })
    .where(and(eq(accountRecoveries.userId, userId), isOpen))
    .returning({ id: accountRecoveries.id })
  return rows.length
}

/** Recoveries whose waiting time is over. */
export async function listDueRecoveries(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: accountRecoveries.id })
    .from(accountRecoveries)
    .where(and(isNotNull(accountRecoveries.dueAt), lte(accountRecoveries.dueAt, new Date(now)), isOpen))
    .orderBy(accountRecoveries.dueAt)
  return rows.map((it) => it.id)
}

/** Ends a due recovery; of two processes, one gets it. */
export async function finishRecovery(tx: Db, id: string, now: number): Promise<Recovery | undefined> {
  const rows = await tx
    .update(accountRecoveries)
    .set({ doneAt: new Date(now) })
    .where(and(eq(accountRecoveries.id, id), lte(accountRecoveries.dueAt, new Date(now)), isOpen))
    .returning()
  return rows[0]
}

/** Deletes recoveries that ended, or whose link expired, before a moment. */
export async function removeRecoveriesBefore(db: Db, before: number): Promise<void> {
  const ended = sql`coalesce(${accountRecoveries.doneAt}, ${accountRecoveries.stoppedAt}, ${accountRecoveries.dueAt}, ${accountRecoveries.expiresAt})`
  await db.delete(accountRecoveries).where(lt(ended, sql`${new Date(before).toISOString()}::timestamptz`))
}
