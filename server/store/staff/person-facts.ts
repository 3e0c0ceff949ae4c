// Numbers of one person for staff: posts, comments, reports, and sums of money.
import { and, count, eq, isNotNull, isNull, sum } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { sumsByMonth } from '#server/store/sales/sums.ts'
import { payments } from '#server/store/tables/payments.ts'
import { payouts } from '#server/store/tables/payouts.ts'
import { personCounts } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { comments } from '#server/store/tables/reactions.ts'
import { reports } from '#server/store/tables/moderation.ts'

export interface Activity {
  readonly posts: number
  readonly comments: number
  readonly followers: number
  readonly following: number
  readonly reports_by: number
  readonly reports_about: number
}

export async function activityOf(db: Db, userId: string): Promise<Activity> {
  const [counts] = await db.select().from(personCounts).where(eq(personCounts.userId, userId))
  const released = and(eq(posts.authorId, userId), isNotNull(posts.releasedAt), isNull(posts.deletedAt))
  return {
    posts: await db.$count(posts, released),
    comments: await db.$count(comments, eq(comments.authorId, userId)),
    followers: counts?.followers ?? 0,
    following: counts?.following ?? 0,
    reports_by: await db.$count(reports, eq(reports.reporterId, userId)),
    reports_about: await db.$count(reports, eq(reports.ownerId, userId)),
  }
}

/** `sum` in yen. */
export interface CountedSum {
  readonly count: number
  readonly sum: number
}
export interface Money {
  /** Paid ones, less what was refunded. */
  readonly purchases: CountedSum
  /** Entries of sales, less refunds, before fees. */
  readonly sales: CountedSum
  readonly payouts: CountedSum
}

export async function moneyOf(db: Db, userId: string, now: number): Promise<Money> {
  const [bought] = await db
    .select({ count: count(), paid: sum(payments.amount), refunded: sum(payments.refundedAmount) })
    .from(payments)
    .where(and(eq(payments.userId, userId), isNotNull(payments.paidAt)))
  const [paidOut] = await db
    .select({ count: count(), sum: sum(payouts.amount) })
    .from(payouts)
    .where(and(eq(payouts.creatorId, userId), eq(payouts.state, 'paid')))
  const months = await sumsByMonth(db, userId, { from: 0, to: now })
  const sold = [...months.values()].flat().filter((it) => it.kind !== null)
  return {
    purchases: {
      count: Number(bought?.count ?? 0),
      sum: Number(bought?.paid ?? 0) - Number(bought?.refunded ?? 0),
    },
    sales: {
      count: sold.reduce((all, it) => all + it.count, 0),
      sum: sold.reduce((all, it) => all + it.gross, 0),
    },
    payouts: { count: Number(paidOut?.count ?? 0), sum: Number(paidOut?.sum ?? 0) },
  }
}
