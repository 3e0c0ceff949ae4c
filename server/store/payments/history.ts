// The purchase history of a buyer: payments that were paid, and the filters that occur.
import { and, asc, desc, eq, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { PurchaseState } from '#contract/payments/history.ts'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { payments, receipts } from '#server/store/tables/payments.ts'
import { users } from '#server/store/tables/people.ts'
import { plans } from '#server/store/tables/plans.ts'
import { posts } from '#server/store/tables/posts.ts'

const purchased: readonly PurchaseState[] = ['paid', 'refunded', 'disputed']

export interface PurchaseRow {
  readonly id: string
  readonly kind: 'post' | 'plan'
  /** Null when the buyer cannot open the post any more. */
  readonly postId: string | null
  /** Null for a post, and when the plan was erased. */
  readonly planId: string | null
  readonly planName: string | null
  /** The month that a plan's payment paid. */
  readonly periodFrom: Date | null
  readonly periodUntil: Date | null
  readonly creatorId: string
  readonly creatorName: string
  /** Yen, tax included. */
  readonly amount: number
  readonly state: PurchaseState
  readonly paidAt: Date
  readonly refundedAt: Date | null
  readonly hasReceipt: boolean
}

export interface HistoryFilter {
  /** The first moment, and the first one after it, ms since 1970. */
  readonly paid: { readonly from: number; readonly to: number } | undefined
  readonly creatorId: string | undefined
  readonly after: { readonly at: Date; readonly id: string } | undefined
}

/** Own payments that were paid at some time. */
const ownPurchases = (userId: string): SQL | undefined =>
  and(eq(payments.userId, userId), inArray(payments.state, purchased), isNotNull(payments.paidAt))

/** Purchases of a person, newest first. */
export async function listPurchases(
  db: Db,
  userId: string,
  { paid, creatorId, after }: HistoryFilter,
  limit: number,
): Promise<PurchaseRow[]> {
  const rows = await selectPurchases(db, userId)
    .where(
      and(
        ownPurchases(userId),
        paid && gte(payments.paidAt, new Date(paid.from)),
        paid && lt(payments.paidAt, new Date(paid.to)),
        creatorId === undefined ? undefined : eq(payments.creatorId, creatorId),
        after &&
          sql`(${payments.paidAt}, ${payments.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(payments.paidAt), desc(payments.id))
    .limit(limit)
  return rows as PurchaseRow[]
}

/** One purchase of a person; undefined when it is another person's, or was not paid. */
export async function findPurchase(
  db: Db,
  userId: string,
  paymentId: string,
): Promise<PurchaseRow | undefined> {
  const rows = await selectPurchases(db, userId).where(and(ownPurchases(userId), eq(payments.id, paymentId)))
  return (rows as PurchaseRow[])[0]
}

/** A post is opened by its buyer unless it was deleted, or buyer and creator cannot see each other. */
function selectPurchases(db: Db, userId: string) {
  const creator = alias(users, 'creator')
  const shown = and(
    sql`${posts.deletedAt} is null`,
    sql`${creator.deletedAt} is null`,
    notBlocked(userId, payments.creatorId),
  )
  return db
    .select({
      id: payments.id,
      kind: payments.kind,
      postId: sql<string | null>`case when ${shown} then ${posts.id} end`,
      planId: plans.id,
      planName: plans.name,
      periodFrom: payments.periodFrom,
      periodUntil: payments.periodUntil,
      creatorId: payments.creatorId,
      creatorName: creator.name,
      amount: payments.amount,
      state: payments.state,
      paidAt: payments.paidAt,
      refundedAt: payments.refundedAt,
      hasReceipt: sql<boolean>`${receipts.paymentId} is not null`,
    })
    .from(payments)
    .innerJoin(creator, eq(creator.id, payments.creatorId))
    .leftJoin(posts, eq(posts.id, payments.postId))
    .leftJoin(plans, eq(plans.id, payments.planId))
    .leftJoin(receipts, eq(receipts.paymentId, payments.id))
    .$dynamic()
}

/** The months in Asia/Tokyo of a person's purchases, `YYYY-MM`, newest first. */
export async function monthsOfPurchases(db: Db, userId: string): Promise<string[]> {
  const month = sql<string>`to_char(${payments.paidAt} at time zone 'Asia/Tokyo', 'YYYY-MM')`
  const rows = await db
    .selectDistinct({ month: month.as('month') })
    .from(payments)
    .where(ownPurchases(userId))
    .orderBy(sql`month desc`)
  return rows.map((row) => row.month)
}

/** The creators of a person's purchases by their current names, ordered by name. */
export function creatorsOfPurchases(db: Db, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectDistinct({ id: users.id, name: users.name })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.creatorId))
    .where(ownPurchases(userId))
    .orderBy(asc(users.name), asc(users.id))
}
