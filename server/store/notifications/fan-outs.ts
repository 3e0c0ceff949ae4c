// Progress of broadcasts, whose batches run exactly once each.
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { fanOuts } from '#server/store/tables/notifications.ts'

/** @returns false when the broadcast was begun before */
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
 * Locks a broadcast for one batch (the column `stretch` counts them), until the transaction ends.
 * @returns where the batch begins, or undefined when it is done
 */
export async function lockBatch(
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

/** Records that the batch up to the person `last` is done; with null the broadcast is done. */
export async function endBatch(tx: Db, subjectId: string, last: string | null, now: number): Promise<void> {
  await tx
    .update(fanOuts)
    .set({ after: last, stretch: sql`${fanOuts.stretch} + 1`, doneAt: last === null ? new Date(now) : null })
    .where(eq(fanOuts.subjectId, subjectId))
}

/** Deletes broadcasts that were done before a moment; no job of them exists any more. */
export async function removeFanOutsBefore(db: Db, before: number): Promise<void> {
  await db.delete(fanOuts).where(lt(fanOuts.doneAt, new Date(before)))
}

/** The number of the next batch of a broadcast that is not done; undefined without one. */
export async function nextBatch(tx: Db, subjectId: string): Promise<number | undefined> {
  const rows = await tx
    .select({ stretch: fanOuts.stretch })
    .from(fanOuts)
    .where(and(eq(fanOuts.subjectId, subjectId), isNull(fanOuts.doneAt)))
  return rows[0]?.stretch
}

/** Ends a broadcast before its last batch. */
export async function cancelFanOut(tx: Db, subjectId: string, now: number): Promise<void> {
  await tx
    .update(fanOuts)
    .set({ after: null, doneAt: new Date(now) })
    .where(and(eq(fanOuts.subjectId, subjectId), isNull(fanOuts.doneAt)))
}
