// Counts of a creator's paying members who joined and left in a time.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import type { Days } from './sums.ts'

export interface MemberCounts {
  /** The plan's id and name. */
  readonly planId: string
  readonly name: string
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
    with range as (select (${param('from')} at time zone 'Asia/Tokyo')::date as first,
      (${param('to')} at time zone 'Asia/Tokyo')::date as next)
    select p.id as "planId", p.name,
      coalesce(sum(d.began - d.ended) filter (where d.day < r.first), 0)::int as before,
      coalesce(sum(d.began) filter (where d.day >= r.first), 0)::int as joined,
      coalesce(sum(d.ended) filter (where d.day >= r.first), 0)::int as "left"
    from range r join plans p on p.creator_id = ${param('creator')}
    join membership_days d on d.plan_id = p.id and d.day < r.next
    group by p.id order by p.position, p.price, p.id`,
)

/** Counts for each plan that had members, in the creator's order. The days are whole ones in Asia/Tokyo. */
export const countMembers = (db: Db, creatorId: string, { from, to }: Days): Promise<MemberCounts[]> =>
  counts(db, { creator: creatorId, from: momentOf(from), to: momentOf(to) })

/**
 * Replaces the new changes of each plan and day by their sum with the folded ones, in one statement: a reader sees either, with
 * the same sum. A sum of nothing, also of an erased plan, leaves no row.
 */
export async function foldMembershipDays(db: Db): Promise<void> {
  await db.execute(sql`
    with folded as (
      delete from membership_days d using
        (select distinct plan_id, day from membership_days where not is_folded) n
      where d.plan_id = n.plan_id and d.day = n.day
      returning d.plan_id, d.day, d.began, d.ended)
    insert into membership_days (plan_id, day, began, ended, is_folded)
    select plan_id, day, sum(began), sum(ended), true from folded group by plan_id, day
    having sum(began) <> 0 or sum(ended) <> 0`)
}
