// Paid memberships: adding, locking, changing and finding them.
import { and, asc, eq, gt, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { type JsonRow, jsonOf, rowOf } from '#server/store/json-rows.ts'
import { isPresent } from '#server/store/people/people.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import { memberships } from '#server/store/tables/memberships.ts'
import { payments } from '#server/store/tables/payments.ts'
import { plans } from '#server/store/tables/plans.ts'

type PaymentRow = typeof payments.$inferSelect
export type MembershipRow = typeof memberships.$inferSelect
export type MembershipChange = Partial<Omit<MembershipRow, 'id' | 'userId' | 'creatorId'>>

/** For a where clause: the membership has not ended. */
export const isRunning = ne(memberships.state, 'ended')

/** Adds a membership. @returns false when the member has a running one of this creator */
export async function addMembership(tx: Db, row: MembershipRow): Promise<boolean> {
  const added = await tx
    .insert(memberships)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: memberships.id })
  return added.length === 1
}

export async function findMembership(db: Db, id: string): Promise<MembershipRow | undefined> {
  return (await db.select().from(memberships).where(eq(memberships.id, id)))[0]
}

/**
 * Reads a membership and locks it until the end of the transaction. The payment that began it is locked first, as its
 * notices do, so that two transactions never wait for each other.
 */
export async function lockMembership(tx: Db, id: string): Promise<MembershipRow | undefined> {
  await tx.select({ id: payments.id }).from(payments).where(eq(payments.id, id)).for('update')
  return (await tx.select().from(memberships).where(eq(memberships.id, id)).for('update'))[0]
}

/** A payment that begins or began a recurring charge, with its membership, both locked. */
export interface LockedForm {
  readonly payment: PaymentRow | undefined
  readonly membership: MembershipRow | undefined
}

/** The membership that a form of a plan begins, or whose card it changes. */
export const membershipIdOf = ({ id, changesCardOf }: Pick<PaymentRow, 'id' | 'changesCardOf'>): string =>
  changesCardOf ?? id

/** Locks a payment and, of a plan, its membership, in the order of `lockMembership`. */
export async function lockForm(tx: Db, paymentId: string): Promise<LockedForm> {
  const [found] = await tx.select().from(payments).where(eq(payments.id, paymentId))
  const membership = found?.kind === 'plan' ? await lockMembership(tx, membershipIdOf(found)) : undefined
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for('update')
  return { payment, membership }
}

/** Whether the recurring charge of a membership was begun by this form. */
export const isFormOf = (
  { id, formId }: Pick<MembershipRow, 'id' | 'formId'>,
  form: Pick<PaymentRow, 'id'>,
): boolean => (formId ?? id) === form.id

export async function setMembership(tx: Db, id: string, changed: MembershipChange): Promise<void> {
  await tx.update(memberships).set(changed).where(eq(memberships.id, id))
}

/** The running membership of a person with a creator. */
export async function findRunning(
  db: Db,
  userId: string,
  creatorId: string,
): Promise<MembershipRow | undefined> {
  const own = and(eq(memberships.userId, userId), eq(memberships.creatorId, creatorId), isRunning)
  return (await db.select().from(memberships).where(own))[0]
}

/**
 * For a where clause over a membership `m`: it ended unpaid (`endedUnpaid`), and its member can continue it, since no other one of
 * this creator runs.
 * @param after a moment `RETURN_MS` ago, or before it
 */
export const mayReturn = (after: SQL): SQL =>
  sql`m.state = 'ended' and m.ended_at > ${after}
    and (m.why in ('payment_failed', 'not_paid') or (m.why = 'cancelled' and m.ended_at > m.paid_until))
    and not exists (select 1 from memberships o where o.user_id = m.user_id and o.creator_id = m.creator_id
      and (o.state <> 'ended' or o.joined_at > m.ended_at))`

/** Whether a person has another membership of the same creator that runs, or began after the end of this one. */
export async function hasLater(db: Db, row: MembershipRow): Promise<boolean> {
  const { id, userId, creatorId, endedAt } = row
  const isLater = endedAt === null ? isRunning : or(isRunning, gt(memberships.joinedAt, endedAt))
  const own = and(
    eq(memberships.userId, userId),
    eq(memberships.creatorId, creatorId),
    ne(memberships.id, id),
  )
  return (await db.$count(memberships, and(own, isLater))) > 0
}

const returning = statement<
  { user: string; plan: string; after: string },
  { readonly membership: JsonRow<typeof memberships> }
>(
  { user: 'uuid', plan: 'uuid', after: 'timestamptz' },
  (param) => sql`select ${jsonOf(memberships, 'm')} as membership from memberships m
    where m.user_id = ${param('user')} and m.plan_id = ${param('plan')} and ${mayReturn(param('after'))}
    order by m.ended_at desc limit 1`,
)

/** The membership of a plan that ended unpaid after a moment, ms since 1970, and that its member can continue. */
export async function findReturning(
  db: Db,
  { userId, planId }: { readonly userId: string; readonly planId: string },
  after: number,
): Promise<MembershipRow | undefined> {
  const [row] = await returning(db, { user: userId, plan: planId, after: momentOf(after) })
  return row && rowOf(memberships, row.membership)
}

/** Memberships by their ids. */
export async function findMemberships(db: Db, ids: readonly string[]): Promise<Map<string, MembershipRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(memberships)
    .where(inArray(memberships.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The membership with a recurring charge of a provider. */
export async function findByRecurringRef(
  db: Db,
  provider: string,
  recurringRef: string,
): Promise<MembershipRow | undefined> {
  const same = and(eq(memberships.provider, provider), eq(memberships.recurringRef, recurringRef))
  return (await db.select().from(memberships).where(same))[0]
}

export type Whose =
  | { readonly memberId: string }
  | { readonly creatorId: string }
  | { readonly planId: string }
  | { readonly nextPlanId: string }
  /** Between two people, in either direction. */
  | { readonly between: readonly [string, string] }

function whose(it: Whose): SQL | undefined {
  if ('memberId' in it) return eq(memberships.userId, it.memberId)
  if ('creatorId' in it) return eq(memberships.creatorId, it.creatorId)
  if ('planId' in it) return eq(memberships.planId, it.planId)
  if ('nextPlanId' in it) return eq(memberships.nextPlanId, it.nextPlanId)
  const [one, other] = it.between
  return or(
    and(eq(memberships.userId, one), eq(memberships.creatorId, other)),
    and(eq(memberships.userId, other), eq(memberships.creatorId, one)),
  )
}

/**
 * Ids of running memberships, in their order.
 * @param after the last id of the page before; '' for the first page
 */
export async function listRunning(db: Db, of: Whose, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(whose(of), isRunning, after === '' ? undefined : sql`${memberships.id} > ${after}::uuid`))
    .orderBy(asc(memberships.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/**
 * Ids of running memberships that change by time alone now, the longest overdue first. Those that wait for a late charge are
 * left out: many of them would keep a sweep from the others.
 * @param grace how long after the paid time each state waits, ms
 */
export async function listDue(
  db: Db,
  now: number,
  grace: { readonly active: number; readonly pastDue: number },
  limit: number,
): Promise<string[]> {
  const isOver = (state: MembershipRow['state'], wait: number) =>
    and(eq(memberships.state, state), lt(memberships.paidUntil, new Date(now - wait + 1)))
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(or(isOver('cancelling', 0), isOver('active', grace.active), isOver('past_due', grace.pastDue)))
    .orderBy(asc(memberships.paidUntil), asc(memberships.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** For a where clause: the provider charges its next month. */
export const isCharged = inArray(memberships.state, ['active', 'past_due'])

/**
 * Ids of memberships whose charges go on although they are to be stopped: the plan ends before the month after the paid
 * one does, or one of the two people is suspended or leaving.
 */
export async function listToStop(db: Db, limit: number): Promise<string[]> {
  const isAway = sql`not (${isPresent(memberships.userId)} and ${isPresent(memberships.creatorId)})`
  const ends = sql`exists (select 1 from ${plans} where ${plans.id} = ${memberships.planId}
    and ${plans.endsAt} < (${memberships.paidUntil} at time zone 'Asia/Tokyo' + interval '1 month') at time zone 'Asia/Tokyo')`
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(isCharged, or(isAway, ends)))
    .orderBy(asc(memberships.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** What the provider has to charge each month, yen; 0 for nothing. */
const wanted = sql`case when ${isCharged} then coalesce(${memberships.nextPrice}, ${memberships.price}) else 0 end`

/** Ids of memberships whose recurring charge at the provider differs from what it has to be. */
export async function listToSync(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(sql`${memberships.chargedAmount} <> ${wanted}`)
    .orderBy(asc(memberships.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/**
 * Ids of charged memberships whose card expires in a month or before it, and whose member was not told so.
 * @param month `YYYY-MM`
 */
export async function listExpiring(db: Db, month: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        isCharged,
        lte(memberships.cardExpires, month),
        sql`${memberships.cardTold} is distinct from ${memberships.cardExpires}`,
      ),
    )
    .orderBy(asc(memberships.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

const MOST_ENDED = 10

const ended = statement<
  { user: string; after: string },
  { readonly membership: JsonRow<typeof memberships> }
>(
  { user: 'uuid', after: 'timestamptz' },
  (param) =>
    sql`select ${jsonOf(memberships, 'm')} as membership from memberships m
    where m.user_id = ${param('user')} and m.ended_at > ${param('after')}
      and ${notBlocked(param('user'), sql`m.creator_id`)}
      and not exists (select 1 from memberships later where later.user_id = ${param('user')}
        and later.creator_id = m.creator_id
        and (later.ended_at is null or (later.ended_at, later.id) > (m.ended_at, m.id)))
    order by m.ended_at desc, m.id desc limit ${sql.raw(String(MOST_ENDED))}`,
)

/**
 * At most 10 memberships of a person that ended after a moment, newest first, the latest of each creator, without those of creators
 * with whom the person has a running one or a block.
 */
export async function listEnded(db: Db, userId: string, after: number): Promise<MembershipRow[]> {
  const rows = await ended(db, { user: userId, after: momentOf(after) })
  return rows.map((row) => rowOf(memberships, row.membership))
}
