// Identity checks for admins: lists, and one check with the account information of its person.
import { and, asc, desc, eq, gt, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import type { Db } from '#server/store/database.ts'
import type { CheckRow } from './identity.ts'
import { identityChecks } from '#server/store/tables/identity.ts'
import { users } from '#server/store/tables/people.ts'
import { userDetails } from '#server/store/tables/settings.ts'

export interface ListedCheck {
  readonly check: CheckRow
  readonly name: string
  /** Name of the admin who last began to review it. */
  readonly reviewerName: string | null
}

const reviewers = alias(users, 'reviewers')

/** The lists of checks that an admin can read. */
export type CheckList = 'waiting' | 'mine' | 'others' | 'decided'

export interface CheckFilter {
  readonly list: CheckList
  readonly adminId: string
  /** Ms since 1970. Taken checks whose lock has ended wait again. */
  readonly now: number
}

function isListed({ list, adminId, now }: CheckFilter): SQL | undefined {
  const inReview = eq(identityChecks.state, 'in_review')
  const locked = gt(
    sql`coalesce(${identityChecks.reviewStartedAt}, '-infinity')`,
    sql`${new Date(now - CASE_LOCK_MS).toISOString()}::timestamptz`,
  )
  switch (list) {
    case 'waiting':
      return or(eq(identityChecks.state, 'submitted'), and(inReview, not(locked)))
    case 'mine':
      return and(inReview, locked, eq(identityChecks.reviewerId, adminId))
    case 'others':
      return and(inReview, locked, ne(identityChecks.reviewerId, adminId))
    case 'decided':
      return inArray(identityChecks.state, ['approved', 'rejected'])
    default:
      return list satisfies never
  }
}

/** A page of checks: open ones oldest first, decided ones latest first; ids break ties. */
export async function listChecksOf(
  db: Db,
  filter: CheckFilter,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<ListedCheck[]> {
  const latestFirst = filter.list === 'decided'
  const place = sql`(${identityChecks.submittedAt}, ${identityChecks.id})`
  const start = after && sql`(${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
  const order = latestFirst ? desc : asc
  const rows = await db
    .select({ check: identityChecks, name: users.name, reviewerName: reviewers.name })
    .from(identityChecks)
    .innerJoin(users, eq(users.id, identityChecks.userId))
    .leftJoin(reviewers, eq(reviewers.id, identityChecks.reviewerId))
    .where(
      and(isListed(filter), start && (latestFirst ? sql`${place} < ${start}` : sql`${place} > ${start}`)),
    )
    .orderBy(order(identityChecks.submittedAt), order(identityChecks.id))
    .limit(limit)
  return rows as ListedCheck[]
}

export interface CheckDetail extends ListedCheck {
  readonly email: string
  readonly birthDate: string
  readonly legalName: string | null
  readonly legalNameKana: string | null
}

/** A check with the account information of its person. */
export async function findCheck(db: Db, id: string): Promise<CheckDetail | undefined> {
  const rows = await db
    .select({
      check: identityChecks,
      name: users.name,
      reviewerName: reviewers.name,
      email: users.email,
      birthDate: users.birthDate,
      legalName: userDetails.legalName,
      legalNameKana: userDetails.legalNameKana,
    })
    .from(identityChecks)
    .innerJoin(users, eq(users.id, identityChecks.userId))
    .leftJoin(reviewers, eq(reviewers.id, identityChecks.reviewerId))
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .where(eq(identityChecks.id, id))
  return rows[0] as CheckDetail | undefined
}
