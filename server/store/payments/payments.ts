// Payments: adding, locking, changing and counting them.
import { and, count, eq, gt, gte, inArray, isNull, lte, lt, ne, or } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { charges, payments } from '#server/store/tables/payments.ts'
import { posts } from '#server/store/tables/posts.ts'

export type PaymentRow = typeof payments.$inferSelect
export type NewPayment = typeof payments.$inferInsert

/** Adds a payment. @returns false when its id is taken */
export async function addPayment(tx: Db, payment: NewPayment): Promise<boolean> {
  const added = await tx.insert(payments).values(payment).onConflictDoNothing().returning({ id: payments.id })
  return added.length === 1
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return (await db.select().from(payments).where(eq(payments.id, id)))[0]
}

/** Payments by their ids. */
export async function findPayments(db: Db, ids: readonly string[]): Promise<Map<string, PaymentRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(payments)
    .where(inArray(payments.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads a payment and locks it until the end of the transaction. */
export async function lockPayment(tx: Db, id: string): Promise<PaymentRow | undefined> {
  return (await tx.select().from(payments).where(eq(payments.id, id)).for('update'))[0]
}

export async function setPayment(
  tx: Db,
  id: string,
  changed: Partial<
    Pick<
      PaymentRow,
      | 'state'
      | 'chargeRef'
      | 'paidAt'
      | 'refundedAt'
      | 'refundedAmount'
      | 'membershipId'
      | 'periodFrom'
      | 'periodUntil'
    >
  >,
): Promise<void> {
  await tx.update(payments).set(changed).where(eq(payments.id, id))
}

/** Keeps a post from being changed and deleted until the end of the transaction. */
export async function holdPost(tx: Db, postId: string): Promise<void> {
  await tx.select({ id: posts.id }).from(posts).where(eq(posts.id, postId)).for('share')
}

const isOpen = inArray(payments.state, ['created', 'pending'])

/** What a payment is for. */
export type PaidFor =
  | { readonly kind: 'post'; readonly postId: string }
  | {
      readonly kind: 'plan'
      readonly planId: string
      /** The membership whose card is changed; left out for joining the plan. */
      readonly changesCardOf?: string
    }

/** Whether a payment is for this. */
export const isPaymentFor = ({ postId, planId, changesCardOf }: PaymentRow, item: PaidFor): boolean =>
  item.kind === 'post'
    ? postId === item.postId
    : planId === item.planId && changesCardOf === (item.changesCardOf ?? null)

const isForPlan = (planId: string, changesCardOf: string | undefined) =>
  changesCardOf === undefined
    ? and(eq(payments.planId, planId), isNull(payments.changesCardOf))
    : eq(payments.changesCardOf, changesCardOf)

/** Locks the open payment of a person for the same thing that has not expired; undefined when there is none. */
export async function lockOpenPayment(
  tx: Db,
  userId: string,
  item: PaidFor,
  now: number,
): Promise<PaymentRow | undefined> {
  const rows = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.userId, userId),
        item.kind === 'post' ? eq(payments.postId, item.postId) : isForPlan(item.planId, item.changesCardOf),
        isOpen,
        gt(payments.expiresAt, new Date(now)),
      ),
    )
    .orderBy(payments.createdAt)
    .limit(1)
    .for('update')
  return rows[0]
}

/** Ids of open payments whose time is over. */
export async function listOverdue(db: Db, now: number, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(isOpen, lte(payments.expiresAt, new Date(now))))
    .orderBy(payments.expiresAt)
    .limit(most)
  return rows.map((row) => row.id)
}

/** How many payments a person has begun after a moment. */
export async function countBegun(db: Db, userId: string, after: number): Promise<number> {
  const rows = await db
    .select({ begun: count() })
    .from(payments)
    .where(and(eq(payments.userId, userId), gt(payments.createdAt, new Date(after))))
  return Number(rows[0]?.begun ?? 0)
}

/**
 * A person's payments that were begun after a moment and are paid or open, without forms that take no money.
 * @param item whose open payment is left out
 */
export async function listSpent(
  db: Db,
  userId: string,
  { after, now, item }: { readonly after: number; readonly now: number; readonly item?: PaidFor | undefined },
): Promise<{ amount: number; at: number; openUntil: number | null }[]> {
  const rows = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.userId, userId),
        gt(payments.createdAt, new Date(after)),
        eq(payments.registersOnly, false),
        or(eq(payments.state, 'paid'), and(isOpen, gt(payments.expiresAt, new Date(now)))),
      ),
    )
  return rows
    .filter((it) => it.state === 'paid' || !item || !isPaymentFor(it, item))
    .map((it) => ({
      amount: it.amount,
      at: it.createdAt.getTime(),
      openUntil: it.state === 'paid' ? null : it.expiresAt.getTime(),
    }))
}

/** Whether a person has paid for a post, by any payment. */
export async function hasPaidPost(db: Db, userId: string, postId: string): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.userId, userId), eq(payments.postId, postId), eq(payments.state, 'paid')))
  return rows.length > 0
}

/** Whether a charge of this payment paid for nothing, so that it is returned. */
export async function hasSurplus(db: Db, paymentId: string): Promise<boolean> {
  const rows = await db
    .select({ id: charges.id })
    .from(charges)
    .where(and(eq(charges.paymentId, paymentId), eq(charges.isSurplus, true)))
    .limit(1)
  return rows.length > 0
}

/** Empties the networks of payments that were begun before a moment. */
export async function emptyNetworks(db: Db, before: number): Promise<void> {
  await db
    .update(payments)
    .set({ networkMac: '' })
    .where(and(ne(payments.networkMac, ''), lt(payments.createdAt, new Date(before))))
}

/** Whether a month of a membership was paid. @param until its end */
export async function hasPaidPeriod(db: Db, membershipId: string, until: Date): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.membershipId, membershipId), eq(payments.periodUntil, until)))
  return rows.length > 0
}

/** The amounts of the months of a membership that were paid, yen. */
export async function amountsOfMonths(db: Db, membershipId: string): Promise<number[]> {
  const rows = await db
    .selectDistinct({ amount: payments.amount })
    .from(payments)
    .where(eq(payments.membershipId, membershipId))
  return rows.map((row) => row.amount)
}

/** Ids of the payments of a post since a moment that are not refunded or disputed. */
export async function listPaidPurchases(db: Db, postId: string, since: Date): Promise<string[]> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.postId, postId), eq(payments.state, 'paid'), gte(payments.paidAt, since)))
    .orderBy(payments.paidAt, payments.id)
  return rows.map((row) => row.id)
}

/** Ids of the paid months of a membership that are not over at a moment. */
export async function listPaidMonths(db: Db, membershipId: string, at: Date): Promise<string[]> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(eq(payments.membershipId, membershipId), eq(payments.state, 'paid'), gt(payments.periodUntil, at)),
    )
    .orderBy(payments.periodUntil)
  return rows.map((row) => row.id)
}
