// Tasks of the operator: adding, finding and closing them.
import { and, asc, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { TaskEnd } from '#contract/payments/operator-tasks.ts'
import type { Db } from '#server/store/database.ts'
import { operatorTasks } from '#server/store/tables/payments.ts'
import { readDetails, refKeys, storedDetails, type TaskDetails } from './stored-refs.ts'

type TaskRow = typeof operatorTasks.$inferSelect
export type OperatorTask = Omit<TaskRow, 'details'> & { readonly details: TaskDetails }

export const toTask = ({ details, ...row }: TaskRow): OperatorTask => ({
  ...row,
  details: readDetails(details),
})
export type TaskKind = OperatorTask['kind']
type AddedTask = Pick<OperatorTask, 'kind' | 'paymentId' | 'details'>

const DAY = 24 * 3600_000
/** Time for each kind of task, ms. */
const timeFor: Record<TaskKind, number> = {
  refund: 7 * DAY,
  refund_surplus: 7 * DAY,
  notice_mismatch: 3 * DAY,
  difference: 3 * DAY,
  stop_charges: 3 * DAY,
  change_amount: 7 * DAY,
  resume_charges: 7 * DAY,
  clear_balance: 30 * DAY,
  old_balance: 30 * DAY,
  second_person: 3 * DAY,
  unsettled_charge: 45 * DAY,
  withhold_tax: 7 * DAY,
}

/**
 * Adds a task with the deadline of its kind.
 * @param details ids, numbers and codes, together at most 4 KiB as JSON
 * @param dueBy an earlier deadline, ms since 1970; one in the past does not count
 * @returns its id
 */
export async function addTask(
  tx: Db,
  task: AddedTask,
  now: number,
  dueBy: number = Number.POSITIVE_INFINITY,
): Promise<string> {
  const id = newId()
  const usual = now + timeFor[task.kind]
  const dueAt = new Date(dueBy > now ? Math.min(usual, dueBy) : usual)
  await tx.insert(operatorTasks).values({
    ...task,
    details: storedDetails(task.details),
    id,
    createdAt: new Date(now),
    dueAt,
    doneAt: null,
    doneWhy: null,
  })
  return id
}

/**
 * Adds a task, unless one of the same kind, reason and amount about the same charge exists, also a closed one. One that was found right says
 * that what is wrong now is wrong again.
 */
export async function addTaskOnce(tx: Db, task: AddedTask, now: number): Promise<void> {
  const counts = or(isNull(operatorTasks.doneWhy), ne(operatorTasks.doneWhy, 'found_right'))
  if (!(await isAdded(tx, task, counts))) await addTask(tx, task, now)
}

/** Adds a task, unless one of the same kind, reason and amount about the same charge is open. */
export async function addTaskUnlessOpen(tx: Db, task: AddedTask, now: number): Promise<void> {
  if (!(await isAdded(tx, task, isNull(operatorTasks.doneAt)))) await addTask(tx, task, now)
}

/** A version that stored no provider of a task had one. */
async function isAdded(tx: Db, { kind, details }: AddedTask, state?: SQL): Promise<boolean> {
  const { chargeRef = '', why = '', provider = '', amount } = details
  const textOf = (name: keyof TaskDetails, usual: string) =>
    sql`coalesce(${operatorTasks.details}->>${sql.raw(`'${name}'`)}, ${usual})`
  const same = and(
    eq(operatorTasks.kind, kind),
    sql`${ofDetails('chargeRef')} = ${chargeRef}`,
    sql`${textOf('why', '')} = ${why}`,
    sql`${textOf('provider', provider)} = ${provider}`,
    sql`${textOf('amount', '')} = ${String(amount ?? '')}`,
    state,
  )
  return (await tx.select({ id: operatorTasks.id }).from(operatorTasks).where(same).limit(1)).length > 0
}

/** The payment that a task is about; null where there is none. */
export async function paymentOfTask(db: Db, id: string): Promise<string | null> {
  const rows = await db
    .select({ paymentId: operatorTasks.paymentId })
    .from(operatorTasks)
    .where(eq(operatorTasks.id, id))
  return rows[0]?.paymentId ?? null
}

/** Reads an open task and locks it until the end of the transaction; undefined when it is closed. */
export async function lockOpenTask(tx: Db, id: string): Promise<OperatorTask | undefined> {
  const open = and(eq(operatorTasks.id, id), isNull(operatorTasks.doneAt))
  const [row] = await tx.select().from(operatorTasks).where(open).for('update')
  return row && toTask(row)
}

/** Reads an open task; undefined when it is closed. */
export async function findOpenTask(db: Db, id: string): Promise<OperatorTask | undefined> {
  const open = and(eq(operatorTasks.id, id), isNull(operatorTasks.doneAt))
  const [row] = await db.select().from(operatorTasks).where(open)
  return row && toTask(row)
}

/** A place in a list of tasks: after one of this deadline or end, and id. */
export interface TaskPlace {
  readonly at: Date
  readonly id: string
}

/** Open tasks, the next deadline first. */
export async function listOpenTasks(db: Db, most: number, after?: TaskPlace): Promise<OperatorTask[]> {
  const { dueAt, doneAt, id } = operatorTasks
  const next = after && or(gt(dueAt, after.at), and(eq(dueAt, after.at), gt(id, after.id)))
  const rows = await db
    .select()
    .from(operatorTasks)
    .where(and(isNull(doneAt), next))
    .orderBy(asc(dueAt), asc(id))
    .limit(most)
  return rows.map(toTask)
}

/** When and how a task was closed. */
interface TaskClosing {
  /** ms since 1970. */
  readonly now: number
  readonly why: TaskEnd
}

export const ended = ({ now, why }: TaskClosing) => ({ doneAt: new Date(now), doneWhy: why })

export async function closeTask(tx: Db, id: string, end: TaskClosing): Promise<void> {
  await tx.update(operatorTasks).set(ended(end)).where(eq(operatorTasks.id, id))
}

/** A number of the provider in the details. */
const ofDetails = (name: keyof typeof refKeys) =>
  sql`${operatorTasks.details}->>${sql.raw(`'${refKeys[name]}'`)}`

/**
 * Closes the open tasks of a kind about a charge.
 * @param refund of the tasks about refunds, only those about this one, and those of the time when a charge had one refund
 */
export async function closeTasks(
  tx: Db,
  kind: TaskKind,
  { paymentId, chargeRef }: { readonly paymentId: string; readonly chargeRef: string },
  now: number,
  refund?: string,
): Promise<void> {
  await tx
    .update(operatorTasks)
    .set(ended({ now, why: 'settled' }))
    .where(
      and(
        eq(operatorTasks.kind, kind),
        eq(operatorTasks.paymentId, paymentId),
        sql`${ofDetails('chargeRef')} = ${chargeRef}`,
        refund === undefined
          ? undefined
          : sql`coalesce(${operatorTasks.details}->>'refund', ${refund}) = ${refund}`,
        isNull(operatorTasks.doneAt),
      ),
    )
}

type About = { readonly paymentId: string } | { readonly recurringRef: string }

const isOpenAbout = (kinds: readonly TaskKind[], about: About) =>
  and(
    inArray(operatorTasks.kind, [...kinds]),
    'recurringRef' in about
      ? sql`${ofDetails('recurringRef')} = ${about.recurringRef}`
      : eq(operatorTasks.paymentId, about.paymentId),
    isNull(operatorTasks.doneAt),
  )

/** Closes the open tasks of these kinds about a payment or a recurring charge. */
export async function closeTasksOf(
  tx: Db,
  kinds: readonly TaskKind[],
  about: About,
  end: TaskClosing,
): Promise<void> {
  await tx.update(operatorTasks).set(ended(end)).where(isOpenAbout(kinds, about))
}

/** The open tasks of these kinds about a payment. */
export async function listTasksOf(
  db: Db,
  kinds: readonly TaskKind[],
  paymentId: string,
): Promise<OperatorTask[]> {
  const rows = await db.select().from(operatorTasks).where(isOpenAbout(kinds, { paymentId }))
  return rows.map(toTask)
}

/** Closes the task about the tax of a payout. */
export async function closeTaxTask(tx: Db, payoutId: string, now: number): Promise<void> {
  const { kind, details, doneAt } = operatorTasks
  const isOpen = and(eq(kind, 'withhold_tax'), sql`${details}->>'payout' = ${payoutId}`, isNull(doneAt))
  await tx
    .update(operatorTasks)
    .set(ended({ now, why: 'settled' }))
    .where(isOpen)
}

const isOpenAsk = (digest: string) =>
  and(
    eq(operatorTasks.kind, 'second_person'),
    sql`${operatorTasks.details}->>'digest' = ${digest}`,
    isNull(operatorTasks.doneAt),
  )

/** Open tasks about an act that needs a second member of staff. @param digest of what both have to make */
export async function listOpenAsks(db: Db, digest: string): Promise<OperatorTask[]> {
  return (await db.select().from(operatorTasks).where(isOpenAsk(digest))).map(toTask)
}

/** Locks them until the end of the transaction. */
export async function lockOpenAsks(tx: Db, digest: string): Promise<OperatorTask[]> {
  return (await tx.select().from(operatorTasks).where(isOpenAsk(digest)).for('update')).map(toTask)
}
