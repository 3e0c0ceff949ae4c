// Tasks of the operator: adding, listing and closing them.
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'

export type OperatorTask = typeof operatorTasks.$inferSelect
export type TaskKind = OperatorTask['kind']

const DAY = 24 * 3600_000
/** Time for each kind of task, ms. */
const timeFor: Record<TaskKind, number> = {
  refund: 7 * DAY,
  refund_surplus: 7 * DAY,
  notice_mismatch: 3 * DAY,
  stop_charges: 3 * DAY,
  change_amount: 7 * DAY,
}

/**
 * Adds a task with the deadline of its kind.
 * @param details ids, numbers and codes, together at most 4 KiB as JSON
 */
export async function addTask(
  tx: Db,
  task: Pick<OperatorTask, 'kind' | 'paymentId' | 'details'>,
  now: number,
): Promise<void> {
  const dueAt = new Date(now + timeFor[task.kind])
  await tx
    .insert(operatorTasks)
    .values({ ...task, id: newId(), createdAt: new Date(now), dueAt, doneAt: null })
}

/** Open tasks, the next deadline first. */
export function listOpenTasks(db: Db, most: number): Promise<OperatorTask[]> {
  return db
    .select()
    .from(operatorTasks)
    .where(isNull(operatorTasks.doneAt))
    .orderBy(asc(operatorTasks.dueAt), asc(operatorTasks.id))
    .limit(most)
}

/** Closes the open tasks of a kind about a charge, by the provider's number. */
export async function closeTasks(tx: Db, kind: TaskKind, gid: string, now: number): Promise<void> {
  await tx
    .update(operatorTasks)
    .set({ doneAt: new Date(now) })
    .where(
      and(
        eq(operatorTasks.kind, kind),
        sql`${operatorTasks.details}->>'gid' = ${gid}`,
        isNull(operatorTasks.doneAt),
      ),
    )
}
