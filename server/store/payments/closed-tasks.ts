// Closed tasks of the operator, and how many are open.
import { and, desc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'
import { type OperatorTask, type TaskPlace, toTask } from './operator-tasks.ts'

/** Closed tasks, the last one first. */
export async function listClosedTasks(db: Db, most: number, after?: TaskPlace): Promise<OperatorTask[]> {
  const { doneAt, id } = operatorTasks
  const next = after && or(lt(doneAt, after.at), and(eq(doneAt, after.at), lt(id, after.id)))
  const rows = await db
    .select()
    .from(operatorTasks)
    .where(and(isNotNull(doneAt), next))
    .orderBy(desc(doneAt), desc(id))
    .limit(most)
  return rows.map(toTask)
}

export const countOpenTasks = (db: Db): Promise<number> =>
  db.$count(operatorTasks, isNull(operatorTasks.doneAt))
