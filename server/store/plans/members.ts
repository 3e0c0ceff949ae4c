// Lists of plan members, and of the plans that a person has joined.
import { type SQL, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { isPresent } from '#server/store/people/people.ts'
import { type JsonRow, jsonOf, rowOf } from '#server/store/json-rows.ts'
import { planGrants } from './plans.ts'
import { dateOf, dateOrNull, momentOf, statement } from '#server/store/statement.ts'
import { memberships } from '#server/store/tables/memberships.ts'

/** The place of a row in a list ordered by the time of joining. */
export interface JoinedPlace {
  readonly id: string
  readonly at: Date
}

/** Members of all plans of a creator. */
export interface MemberSearch {
  readonly creatorId: string
  /** Folded; null for all. */
  readonly text: string | null
  readonly planId: string | null
  readonly after: JoinedPlace | undefined
}

export interface FoundMember extends JoinedPlace {
  readonly plan: { readonly id: string; readonly name: string; readonly price: number }
}

/** Members of one page of a search. */
export const MEMBERS_PAGE = 30

interface Searched {
  readonly creator: string
  readonly text: string | null
  readonly plan: string | null
  readonly at: string | null
  readonly id: string | null
  readonly now: string
}

/**
 * For a where clause over an open grant `g` of `planGrants`: its person has no other source of the plan before it. One that is
 * paid for comes first. A gift of the version before may be there twice, alike.
 */
const isFirst = (planId: SQL, now: SQL): SQL =>
  sql`(g.complimentary_id is null or not exists (select 1 from ${planGrants} as o
    where o.plan_id = ${planId} and o.user_id = g.user_id and not o.is_included and (o.ends_at is null or o.ends_at > ${now})
      and (o.complimentary_id is null or (o.ends_at, o.joined_at, o.complimentary_id) > (g.ends_at, g.joined_at, g.complimentary_id))))`

const search = statement<Searched, Omit<FoundMember, 'at'> & { readonly at: string }>(
  { creator: 'uuid', text: 'text', plan: 'uuid', at: 'timestamptz', id: 'uuid', now: 'timestamptz' },
  (param) => {
    const limit = sql.raw(String(MEMBERS_PAGE + 1))
    // Each plan is read from its newest member on, and not to its end.
    return sql`select m.user_id as id, m.joined_at as at, json_build_object('id', l.id, 'name', l.name, 'price', l.price) as plan
      from plans l cross join lateral (
        select distinct on (g.joined_at, g.user_id) g.user_id, g.joined_at from ${planGrants} as g
        where g.plan_id = l.id and not g.is_included and (g.ends_at is null or g.ends_at > ${param('now')})
          and ${isFirst(sql`l.id`, param('now'))}
          and (${param('at')} is null or (g.joined_at, g.user_id) < (${param('at')}, ${param('id')}))
          and ${isPresent(sql`g.user_id`)} and ${notBlocked(param('creator'), sql`g.user_id`)}
          and (${param('text')} is null or exists (
            select 1 from users u left join person_search s on s.user_id = u.id
            where u.id = g.user_id and (strpos(s.name, ${param('text')}) > 0 or strpos(u.handle, ${param('text')}) > 0)))
        order by g.joined_at desc, g.user_id desc limit ${limit}) m
      where l.creator_id = ${param('creator')} and (${param('plan')} is null or l.id = ${param('plan')})
      order by m.joined_at desc, m.user_id desc limit ${limit}`
  },
)

/** Members of a creator's plans, newest first: one page, and one row more where there is another page. */
export async function searchPlanMembers(db: Db, asked: MemberSearch, now: number): Promise<FoundMember[]> {
  const rows = await search(db, {
    creator: asked.creatorId,
    text: asked.text,
    plan: asked.planId,
    at: asked.after ? momentOf(asked.after.at) : null,
    id: asked.after?.id ?? null,
    now: momentOf(now),
  })
  return rows.map((row) => ({ ...row, at: dateOf(row.at) }))
}

export interface JoinedPlanRow extends JoinedPlace {
  readonly name: string
  readonly price: number
  readonly creatorId: string
  readonly endsAt: Date | null
  /** The paid membership; null for a plan that was given without payments. */
  readonly membership: MembershipRow | null
}

/** Plans of one page of the joined ones. */
export const JOINED_PAGE = 30

interface Joined {
  readonly user: string
  readonly now: string
  readonly at: string | null
  readonly id: string | null
}

type JoinedRow = Omit<JoinedPlanRow, 'at' | 'endsAt' | 'membership'> & {
  readonly at: string
  readonly endsAt: string | null
  readonly membership: JsonRow<typeof memberships> | null
}

const joined = statement<Joined, JoinedRow>(
  { user: 'uuid', now: 'timestamptz', at: 'timestamptz', id: 'uuid' },
  (param) =>
    sql`select distinct on (g.joined_at, g.plan_id) l.id, l.name, l.price, l.creator_id as "creatorId", g.joined_at as at, g.ends_at as "endsAt",
      case when m.id is not null then ${jsonOf(memberships, 'm')} end as membership
    from ${planGrants} as g join plans l on l.id = g.plan_id left join memberships m on m.id = g.membership_id
    where g.user_id = ${param('user')} and (g.ends_at is null or g.ends_at > ${param('now')}) and not g.is_included
      and ${isFirst(sql`g.plan_id`, param('now'))}
      and (g.membership_id is not null or ${isPresent(sql`l.creator_id`)}) and ${notBlocked(param('user'), sql`l.creator_id`)}
      and (${param('at')} is null or (g.joined_at, g.plan_id) < (${param('at')}, ${param('id')}))
    order by g.joined_at desc, g.plan_id desc limit ${sql.raw(String(JOINED_PAGE + 1))}`,
)

/**
 * The plans of which a person is a member at this moment, newest first, without those that a dearer
 * plan opens, and without creators who are not present, except what is paid for. One page, and one row more where there is
 * another page.
 */
export async function listJoined(
  db: Db,
  userId: string,
  now: number,
  after: JoinedPlace | undefined,
): Promise<JoinedPlanRow[]> {
  const place = { at: after ? momentOf(after.at) : null, id: after?.id ?? null }
  const rows = await joined(db, { user: userId, now: momentOf(now), ...place })
  return rows.map((row) => ({
    ...row,
    at: dateOf(row.at),
    endsAt: dateOrNull(row.endsAt),
    membership: row.membership && rowOf(memberships, row.membership),
  }))
}
