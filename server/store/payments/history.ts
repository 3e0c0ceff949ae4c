// The purchase history of a buyer: payments that were paid, and the filters that occur.
import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PurchaseState } from '#contract/payments/history.ts'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { versionAt } from '#server/store/posts/post-versions.ts'
import { dateOf, dateOrNull, momentOf, statement } from '#server/store/statement.ts'
import { payments } from '#server/store/tables/payments.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'

/** After every id of its time. */
const LAST_ID = sql.raw(`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`)

const purchased: readonly PurchaseState[] = ['paid', 'refunded', 'disputed']

export interface PurchaseRow {
  readonly id: string
  readonly kind: 'post' | 'plan'
  /** Null when the buyer cannot open the post any more. */
  readonly postId: string | null
  /** As the post was bought; null without a title, and when the post was deleted. */
  readonly postTitle: string | null
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
  /** Yen. */
  readonly refundedAmount: number
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

/** Rows of one page of the history. */
export const PURCHASES_PAGE = 30

interface Asked {
  readonly user: string
  readonly from: string | null
  readonly to: string | null
  readonly creator: string | null
  /** The place after which the page begins. */
  readonly at: string | null
  readonly id: string | null
}

type Row = Omit<PurchaseRow, 'periodFrom' | 'periodUntil' | 'paidAt' | 'refundedAt'> & {
  readonly periodFrom: string | null
  readonly periodUntil: string | null
  readonly paidAt: string
  readonly refundedAt: string | null
}

/** A post is opened by its buyer unless it was deleted. After a refund also not if the creator is gone or blocked. */
const purchasesOf = (user: SQL): SQL =>
  sql`select p.id, p.kind, case when post.deleted_at is null
      and (p.state = 'paid' or (creator.deleted_at is null and ${notBlocked(user, sql`p.creator_id`)})) then post.id end as "postId",
    case when post.deleted_at is null then nullif(coalesce(version.title, post.title), '') end as "postTitle",
    plan.id as "planId", plan.name as "planName", p.period_from as "periodFrom", p.period_until as "periodUntil",
    p.creator_id as "creatorId", creator.name as "creatorName", p.amount, p.state, p.paid_at as "paidAt",
    p.refunded_at as "refundedAt", p.refunded_amount as "refundedAmount", r.payment_id is not null as "hasReceipt"
  from payments p join users creator on creator.id = p.creator_id
  left join posts post on post.id = p.post_id
  left join plans plan on plan.id = p.plan_id
  left join lateral (${versionAt(sql`p.post_id`, sql`p.created_at`)}) as version on true
  left join receipts r on r.payment_id = p.id
  where p.user_id = ${user} and p.state in ('paid', 'refunded', 'disputed') and p.paid_at is not null`

const page = statement<Asked, Row>(
  { user: 'uuid', from: 'timestamptz', to: 'timestamptz', creator: 'uuid', at: 'timestamptz', id: 'uuid' },
  (param) =>
    sql`${purchasesOf(param('user'))} and p.paid_at >= coalesce(${param('from')}, '-infinity')
      and p.paid_at < coalesce(${param('to')}, 'infinity')
      and (${param('creator')} is null or p.creator_id = ${param('creator')})
      and (p.paid_at, p.id) < (coalesce(${param('at')}, 'infinity'), coalesce(${param('id')}, ${LAST_ID}))
    order by p.paid_at desc, p.id desc limit ${sql.raw(String(PURCHASES_PAGE + 1))}`,
)

const one = statement<{ user: string; id: string }, Row>(
  { user: 'uuid', id: 'uuid' },
  (param) => sql`${purchasesOf(param('user'))} and p.id = ${param('id')}`,
)

const toPurchase = (row: Row): PurchaseRow => ({
  ...row,
  periodFrom: dateOrNull(row.periodFrom),
  periodUntil: dateOrNull(row.periodUntil),
  paidAt: dateOf(row.paidAt),
  refundedAt: dateOrNull(row.refundedAt),
})

/** Purchases of a person, newest first: one page, and one row more where there is another page. */
export async function listPurchases(
  db: Db,
  userId: string,
  { paid, creatorId, after }: HistoryFilter,
): Promise<PurchaseRow[]> {
  const rows = await page(db, {
    user: userId,
    from: paid ? momentOf(paid.from) : null,
    to: paid ? momentOf(paid.to) : null,
    creator: creatorId ?? null,
    at: after ? momentOf(after.at) : null,
    id: after?.id ?? null,
  })
  return rows.map(toPurchase)
}

/** One purchase of a person; undefined when it is another person's, or was not paid. */
export async function findPurchase(
  db: Db,
  userId: string,
  paymentId: string,
): Promise<PurchaseRow | undefined> {
  const [row] = await one(db, { user: userId, id: paymentId })
  return row && toPurchase(row)
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

/** The bought posts that a person can open, and what was paid for them, yen. */
export async function boughtPosts(db: Db, userId: string): Promise<{ posts: number; amount: number }> {
  const rows = await db
    .select({ posts: count(), amount: sql<number>`coalesce(sum(${payments.amount}), 0)::int` })
    .from(payments)
    .innerJoin(posts, eq(posts.id, payments.postId))
    .where(and(eq(payments.userId, userId), eq(payments.state, 'paid'), isNull(posts.deletedAt)))
  return rows[0] ?? { posts: 0, amount: 0 }
}
