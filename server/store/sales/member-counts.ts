// Counts of a creator's paying members who joined and left in a time.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import type { Days } from './sums.ts'

export interface MemberCounts {
  /** The plan's id and name; null for members of erased plans. */
  readonly planId: string | null
  readonly name: string | null
  /** Members at the start of the time. */
  readonly before: number
  readonly joined: number
  readonly left: number
}

interface Values {
  readonly creator: string
  readonly from: string
  readonly to: string
}

const counts = statement<Values, MemberCounts>(
  { creator: 'uuid', from: 'timestamptz', to: 'timestamptz' },
  (param) => sql`
    with changes as (
      select plan_id, count(*) filter (where joined_at < ${param('from')})::int as before,
        count(*) filter (where joined_at >= ${param('from')})::int as joined, 0 as ended_before, 0 as left
      from memberships where creator_id = ${param('creator')} and joined_at < ${param('to')} group by plan_id
      union all
      select plan_id, 0, 0, count(*) filter (where ended_at < ${param('from')})::int,
        count(*) filter (where ended_at >= ${param('from')})::int
      from memberships where creator_id = ${param('creator')} and ended_at < ${param('to')} group by plan_id)
    select c.plan_id as "planId", p.name, (sum(before) - sum(ended_before))::int as before,
      sum(joined)::int as joined, sum("left")::int as "left"
    from changes c left join plans p on p.id = c.plan_id
    group by c.plan_id, p.name, p.position, p.price order by p.position, p.price, c.plan_id`,
)

/** Counts for each plan, in the creator's order. */
export const countMembers = (db: Db, creatorId: string, { from, to }: Days): Promise<MemberCounts[]> =>
  counts(db, { creator: creatorId, from: momentOf(from), to: momentOf(to) })
