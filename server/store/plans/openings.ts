// What an offer would open to members before it is saved.
import { sql } from 'drizzle-orm'
import type { PlanView } from '#contract/plans/plans.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import { opensPlan } from './grants.ts'
import { joinedNow, planGrants } from './plans.ts'

/** A plan as it would be; an unknown id is that of a new one. */
export interface ChangedOffer {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly opensCheaper: boolean
}

export interface Opening {
  /** The plan of the members. */
  readonly plan: PlanView
  /** The plan that would be opened to them. */
  readonly opened: PlanView
  readonly members: number
}

type Values = ChangedOffer & { readonly creator: string; readonly now: string }

const openings = statement<Values, Opening>(
  {
    id: 'uuid',
    name: 'text',
    price: 'integer',
    opensCheaper: 'boolean',
    creator: 'uuid',
    now: 'timestamptz',
  },
  (param) => {
    const id = param('id')
    const view = (plan: 'p' | 'l') =>
      sql.raw(`json_build_object('id', ${plan}.id, 'name', ${plan}.name, 'price', ${plan}.price)`)
    return sql`with offered as (
        select id, name, price, opens_cheaper from plans where creator_id = ${param('creator')} and id <> ${id}
        union all select ${id}, ${param('name')}, ${param('price')}, ${param('opensCheaper')}),
      opened as (
        select p.id as plan, l.id as opened, count(*)::int as members
        from memberships m join offered p on p.id = m.plan_id join offered l on l.id <> p.id and ${opensPlan}
        where m.creator_id = ${param('creator')} and m.state <> 'ended' and ${id} in (p.id, l.id)
          and not exists (select 1 from ${planGrants} as g
            where g.plan_id = l.id and ${joinedNow(sql`m.user_id`, param('now'))})
        group by p.id, l.id)
      select ${view('p')} as plan, ${view('l')} as opened, o.members
      from opened o join offered p on p.id = o.plan join offered l on l.id = o.opened
      order by p.price, p.id, l.price, l.id`
  },
)

/** The plans that an offer would open to running memberships of its creator, to whom they are closed, with their numbers. */
export const listOpenings = (
  db: Db,
  creatorId: string,
  changed: ChangedOffer,
  now: number,
): Promise<Opening[]> => openings(db, { ...changed, creator: creatorId, now: momentOf(now) })
