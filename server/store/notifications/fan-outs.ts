// Broadcasts to many people in batches, each exactly once.
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { fanOuts } from '#server/store/tables/notifications.ts'

/** @returns false when it was begun before */
export async function beginFanOut(
  tx: Db,
  kind: 'post' | 'notice',
  subjectId: string,
  now: number,
): Promise<boolean> {
  const begun = await tx
    .insert(fanOuts)
    .values({ subjectId, kind, startedAt: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: fanOuts.subjectId })
  return begun.length === 1
}

/**
 * Takes hold of a fan-out for one stretch, until the transaction ends.
 * @returns where it begins, or undefined when it has been done
 */
export async function holdStretch(
  tx: Db,
  subjectId: string,
  stretch: number,
): Promise<{ readonly after: string | null } | undefined> {
  const rows = await tx
    .select()
    .from(fanOuts)
    .where(and(eq(fanOuts.subjectId, subjectId), eq(fanOuts.stretch, stretch), isNull(fanOuts.doneAt)))
    .for('update')
  return rows[0] && { after: rows[0].after }
}

/** The stretch up to `last` is done; null: everybody was looked at. */
export async function endStretch(tx: Db, subjectId: string, last: string | null, now: number): Promise<void> {
  await tx
    .update(fanOuts)
    .set({ after: last, stretch: sql`${fanOuts.stretch} + 1`, doneAt: last === null ? new Date(now) : null })
    .where(eq(fanOuts.subjectId, subjectId))
}

/** Deletes those that were done before a moment; older jobs do not exist any more. */
export async function forgetFanOuts(db: Db, before: number): Promise<void> {
  await db.delete(fanOuts).where(lt(fanOuts.doneAt, new Date(before)))
}
