// One task for all refused notices of a provider and a reason.
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { NEWEST_NOTICES } from '#contract/payments/operator-tasks.ts'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'
import { addTask, ended, toTask } from './operator-tasks.ts'
import { storedDetails } from './stored-refs.ts'

/** A notice that was refused. */
interface RefusedNotice {
  /** Its id. */
  readonly notice: string
  readonly provider: string
  readonly chargeRef: string
  readonly paymentId: string | null
  /** Its outcome. */
  readonly why: string
}

/** Characters of a number that a task shows; what a stranger sent may be longer. */
const SHOWN = 64

/**
 * Counts a notice in the open task about its provider and reason, and adds that task if there is none. Tasks of the version before, which
 * made one of each notice, are closed and counted. So there are no more rows than reasons, whatever a stranger sends.
 */
export async function noteRefused(tx: Db, notice: RefusedNotice, now: number): Promise<void> {
  const { provider, why, paymentId } = notice
  const key = `refused notice ${provider} ${why}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const chargeRef = notice.chargeRef.slice(0, SHOWN)
  const about = { provider, why, notice: notice.notice, chargeRef, lastAt: now }
  const newest = [{ chargeRef, paymentId, at: now }]
  const rows = await tx
    .select()
    .from(operatorTasks)
    .where(isOpenGroup(provider, why))
    .orderBy(...oldestFirst)
  const [first, ...others] = rows.map(toTask)
  if (!first) {
    const details = { ...about, count: 1, newest }
    await addTask(tx, { kind: 'notice_mismatch', paymentId, details }, now)
    return
  }
  const all = [first, ...others]
  const counted = all.reduce((sum, it) => sum + (it.details.count ?? 1), 1)
  const isOfOne = all.every((it) => it.paymentId === paymentId)
  const examples = [...newest, ...(first.details.newest ?? [])].slice(0, NEWEST_NOTICES)
  const details = storedDetails({ ...about, count: counted, newest: examples })
  await tx
    .update(operatorTasks)
    .set({ details, paymentId: isOfOne ? paymentId : null })
    .where(eq(operatorTasks.id, first.id))
  const ids = others.map((it) => it.id)
  if (ids.length > 0)
    await tx
      .update(operatorTasks)
      .set(ended({ now, why: 'grouped' }))
      .where(inArray(operatorTasks.id, ids))
}

const oldestFirst = [asc(operatorTasks.createdAt), asc(operatorTasks.id)]

const isOpenGroup = (provider: string, why: string) =>
  and(
    eq(operatorTasks.kind, 'notice_mismatch'),
    sql`${operatorTasks.details}->>'provider' = ${provider}`,
    sql`${operatorTasks.details}->>'why' = ${why}`,
    isNull(operatorTasks.doneAt),
  )
