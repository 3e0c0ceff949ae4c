// Plans and their members.
import { and, type AnyColumn, eq, gt, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { type JsonRow, jsonOf, rowOf } from '#server/store/json-rows.ts'
import { type Given, momentOf, statement } from '#server/store/statement.ts'
import { planMembers, plans } from '#server/store/tables/plans.ts'

export type Plan = typeof plans.$inferSelect

export async function addPlan(db: Db, plan: typeof plans.$inferInsert): Promise<void> {
  await db.insert(plans).values(plan)
}

const byIds = statement<{ ids: readonly string[] }, { readonly plan: JsonRow<typeof plans> }>(
  { ids: 'uuid[]' },
  (param) =>
    sql`select ${jsonOf(plans, 'l')} as plan from unnest(${param('ids')}) as wanted(id) join plans l on l.id = wanted.id`,
)

/** Plans by their ids. */
export async function findPlans(db: Db, ids: readonly string[]): Promise<Map<string, Plan>> {
  if (ids.length === 0) return new Map()
  const rows = await byIds(db, { ids: [...new Set(ids)] })
  return new Map(rows.map(({ plan }) => rowOf(plans, plan)).map((row) => [row.id, row]))
}

/** @param id null finds nothing */
export async function findPlan(db: Db, id: string | null): Promise<Plan | undefined> {
  return id === null ? undefined : (await findPlans(db, [id])).get(id)
}

/** The plans of a creator with a lower price that have not ended, cheapest first. */
export function cheaperPlans(db: Db, creatorId: string, price: number, now: number): Promise<Plan[]> {
  return db
    .select()
    .from(plans)
    .where(and(eq(plans.creatorId, creatorId), lt(plans.price, price), isRunning(now)))
    .orderBy(plans.price, plans.id)
}

/** Whether a person is a member of a plan at this moment, other than through a dearer one. */
export async function isJoined(db: Db, planId: string, userId: string, now: number): Promise<boolean> {
  return (await openGrantsOf(db, planId, userId, now)).some((it) => !it.isIncluded)
}

/**
 * Makes a person a member of a plan without payments, or again after an end. Creators do not join their own plans.
 * @returns whether this call made them a member
 */
export async function joinPlan(db: Db, planId: string, userId: string, now: number): Promise<boolean> {
  const joined = await db
    .insert(planMembers)
    .select(
      db
        .select({
          planId: plans.id,
          userId: sql`${userId}::uuid`.as('user_id'),
          joinedAt: sql`${new Date(now).toISOString()}::timestamptz`.as('joined_at'),
          endsAt: sql`null::timestamptz`.as('ends_at'),
          opensFrom: openedFrom(now).as('opens_from'),
          membershipId: sql`null::uuid`.as('membership_id'),
          complimentaryId: sql`null::uuid`.as('complimentary_id'),
          isIncluded: sql`false`.as('is_included'),
          copiesUntil: sql`null::timestamptz`.as('copies_until'),
        })
        .from(plans)
        .where(and(eq(plans.id, planId), ne(plans.creatorId, userId))),
    )
    .onConflictDoUpdate({
      target: [planMembers.planId, planMembers.userId],
      set: {
        joinedAt: new Date(now),
        endsAt: null,
        opensFrom: sql`excluded.opens_from`,
        membershipId: null,
        complimentaryId: null,
        isIncluded: false,
        copiesUntil: null,
      },
      setWhere: lte(planMembers.endsAt, new Date(now)),
    })
    .returning({ planId: planMembers.planId })
  return joined.length === 1
}

/** From when on a person who joins now can read the posts of a plan: from now, or all of them. */
const openedFrom = (now: number): SQL<Date | null> =>
  sql`case when ${plans.backNumbers} = 'since_joining' then ${new Date(now).toISOString()}::timestamptz end`

/** Sets when a membership ends; until then it opens the same posts. */
export async function endMembership(db: Db, planId: string, userId: string, at: number): Promise<void> {
  await db
    .update(planMembers)
    .set({ endsAt: new Date(at) })
    .where(and(eq(planMembers.planId, planId), eq(planMembers.userId, userId)))
}

/** Those of these plans that belong to this creator and have not ended. */
export async function ownPlanIds(
  db: Db,
  creatorId: string,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: plans.id })
    .from(plans)
    .where(and(eq(plans.creatorId, creatorId), inArray(plans.id, [...ids]), isRunning(now)))
  return new Set(rows.map((row) => row.id))
}

/** For a where clause over plans: the plan has not ended at this moment. */
export function isRunning(now: number): SQL | undefined {
  return or(isNull(plans.endsAt), gt(plans.endsAt, new Date(now)))
}

/**
 * What opens plans to people, as a table of a statement: one row for each source, which ends alone. A plan is open to a person
 * while any of its rows is. Each side is read by its own index.
 */
export const planGrants: SQL = sql`(select plan_id, user_id, joined_at, ends_at, opens_from, membership_id, complimentary_id,
    is_included, copies_until from plan_members
  union all select plan_id, user_id, joined_at, ends_at, opens_from, null::uuid, complimentary_id,
    is_included, null::timestamptz from complimentary_grants)`

/** For a where clause over a grant `g` of `planGrants`: it is of the person, and open at this moment. */
export function joinedNow(userId: Given, now: number | SQL): SQL {
  const moment = typeof now === 'number' ? sql`${momentOf(now)}::timestamptz` : now
  return sql`(g.user_id = ${userId} and (g.ends_at is null or g.ends_at > ${moment}))`
}

/** A source that opens a plan to a person at this moment. */
export interface OpenGrant {
  /** Whether it is a paid membership. */
  readonly isPaid: boolean
  /** Whether it is of a dearer plan. */
  readonly isIncluded: boolean
}

const openOf = statement<{ plan: string; user: string; now: string }, OpenGrant>(
  { plan: 'uuid', user: 'uuid', now: 'timestamptz' },
  (
    param,
  ) => sql`select g.membership_id is not null as "isPaid", g.is_included as "isIncluded" from ${planGrants} as g
    where g.plan_id = ${param('plan')} and ${joinedNow(param('user'), param('now'))}`,
)

/** What opens a plan to a person now. */
export const openGrantsOf = (db: Db, planId: string, userId: string, now: number): Promise<OpenGrant[]> =>
  openOf(db, { plan: planId, user: userId, now: momentOf(now) })

/** No paid month is longer. A post is so searched for among the months of one index range. */
const LONGEST_MONTH = sql.raw(`interval '32 days'`)

/**
 * For a where clause over a grant `g` of `planGrants`: it opens posts that were released at a moment. A plan without back numbers opens
 * those since its person joined, and those of months of this plan that the person had before: paid ones that were not refunded or
 * disputed, also of a dearer plan that opened it then, and given ones.
 * @param releasedAt null opens nothing that depends on it
 */
export function opensReleased(releasedAt: SQL | AnyColumn): SQL {
  return sql`(g.opens_from is null or g.opens_from <= ${releasedAt}
    or exists (select 1 from payments paid where paid.user_id = g.user_id and paid.state = 'paid'
      and paid.period_from <= ${releasedAt} and paid.period_from > ${releasedAt} - ${LONGEST_MONTH}
      and paid.period_until > ${releasedAt}
      and (paid.plan_id = g.plan_id or g.plan_id = any(paid.opened_plans)))
    or exists (select 1 from complimentary_grants given where given.plan_id = g.plan_id and given.user_id = g.user_id
      and coalesce(given.opens_from, given.joined_at) <= ${releasedAt} and given.ends_at > ${releasedAt}))`
}
