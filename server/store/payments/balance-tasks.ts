// Tasks of the operator about a balance, at most one open of a kind.
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'
import { addTask, ended } from './operator-tasks.ts'
import { storedDetails } from './stored-refs.ts'

/** `clear_balance`: of a deleted account. `old_balance`: of a person who is present. */
type BalanceTaskKind = 'clear_balance' | 'old_balance'

const isOpenAbout = (kind: BalanceTaskKind, creatorId: string) =>
  and(
    eq(operatorTasks.kind, kind),
    sql`${operatorTasks.details}->>'creator' = ${creatorId}`,
    isNull(operatorTasks.doneAt),
  )

/**
 * Adds the task about a balance, or brings the open one up to date. The person is locked before (`lockUser`).
 * @returns whether it is new, or has another reason than before
 */
export async function setBalanceTask(
  tx: Db,
  kind: BalanceTaskKind,
  details: { readonly creator: string; readonly amount: number; readonly why: string },
  now: number,
): Promise<boolean> {
  const [open] = await tx.select().from(operatorTasks).where(isOpenAbout(kind, details.creator))
  if (!open) {
    await addTask(tx, { kind, paymentId: null, details }, now)
    return true
  }
  await tx
    .update(operatorTasks)
    .set({ details: storedDetails(details) })
    .where(eq(operatorTasks.id, open.id))
  return open.details['why'] !== details.why
}

/** Closes the task about a balance that is settled, or has a way out. */
export async function closeBalanceTask(
  tx: Db,
  kind: BalanceTaskKind,
  creatorId: string,
  now: number,
): Promise<void> {
  await tx
    .update(operatorTasks)
    .set(ended({ now, why: 'settled' }))
    .where(isOpenAbout(kind, creatorId))
}
