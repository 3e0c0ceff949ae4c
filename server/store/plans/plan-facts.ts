// Reads plans with all data that their views need.
import { type SQL, sql } from 'drizzle-orm'
import type { BackNumbers } from '#contract/plans/plans.ts'
import type { Db } from '#server/store/database.ts'
import { mayReturn } from '#server/store/memberships/memberships.ts'
import type { MediaRow } from '#server/store/media/media.ts'
import { planGrants } from './plans.ts'
import { dateOrNull, momentOf, statement } from '#server/store/statement.ts'

/** A place is kept for `RETURN_MS`, and for the time in which a form that was begun then can be paid. */
const KEPT = sql.raw(`interval '14 days 2 hours'`)

/** A plan as people see it before they join. */
export interface PlanFacts {
  readonly id: string
  readonly name: string
  /** Yen a month, tax included. */
  readonly price: number
  readonly description: string
  readonly acceptsMembers: boolean
  readonly memberLimit: number | null
  readonly opensCheaper: boolean
  readonly backNumbers: BackNumbers
  /** Null unless its end was announced. */
  readonly endsAt: Date | null
  /** Members now; 0 for a plan without a limit where only its state is read. */
  readonly members: number
  /** Members of other plans who change to it with their next charge; counted where members are. */
  readonly changing: number
  /** Former members whose places are kept, since a month could not be paid; counted where members are. */
  readonly returning: number
  /** Null until a picture is converted. */
  readonly picture: (Pick<MediaRow, 'width' | 'made'> & { readonly id: string }) | null
}

/** A plan as its creator sees it. */
export interface OwnPlanFacts extends PlanFacts {
  readonly thanks: string
  /** Yen that its paying members agreed to pay a month. */
  readonly monthlyYen: number
  /** State of the picture that will replace the shown one; null without one. */
  readonly nextPicture: MediaRow['state'] | null
}

/** A row of a statement, in which times are text. */
export type PlanFactsRow<Facts extends PlanFacts = PlanFacts> = Omit<Facts, 'endsAt'> & {
  readonly endsAt: string | null
}

export function toPlanFacts<Facts extends PlanFacts>(row: PlanFactsRow<Facts>): Facts {
  return { ...row, endsAt: dateOrNull(row.endsAt) } as unknown as Facts
}

/**
 * The fields of `PlanFacts` for a `json_build_object` over the plan `l`.
 * @param counts whether members are counted
 */
export const planFields = (counts: SQL, now: SQL): SQL =>
  sql`'id', l.id, 'name', l.name, 'price', l.price, 'description', l.description,
    'acceptsMembers', l.accepts_members, 'memberLimit', l.member_limit, 'opensCheaper', l.opens_cheaper,
    'backNumbers', l.back_numbers, 'endsAt', l.ends_at,
    'members', case when ${counts} then (select coalesce(sum(n.members), 0) from plan_count_changes n where n.plan_id = l.id)
      + (select count(distinct j.user_id) from ${planGrants} as j
        where j.plan_id = l.id and not j.is_included and j.ends_at is not null and j.ends_at > ${now}
          and not exists (select 1 from plan_members k where k.plan_id = l.id and k.user_id = j.user_id
            and not k.is_included and k.ends_at is null)) else 0 end,
    'changing', case when ${counts} then (select count(*) from memberships c
      where c.next_plan_id = l.id and c.plan_id <> l.id) else 0 end,
    'returning', case when ${counts} then (select count(*) from memberships m
      where m.plan_id = l.id and ${mayReturn(sql`${now}::timestamptz - ${KEPT}`)}) else 0 end,
    'picture', (select json_build_object('id', m.id, 'width', m.width, 'made', m.made)
      from plan_pictures p join media m on m.id = p.media_id where p.plan_id = l.id and p.role = 'shown')`

/** Plans in the order of their creator, without those that have ended, as a JSON array; null if there are none. */
export const offeredPlans = (creatorId: SQL, now: SQL): SQL =>
  sql`select json_agg(json_build_object(${planFields(sql`l.member_limit is not null`, now)})
      order by l.position, l.price, l.id)
    from plans l where l.creator_id = ${creatorId} and (l.ends_at is null or l.ends_at > ${now})`

const ownPlans = statement<
  { creator: string; now: string; id: string | null },
  { plan: PlanFactsRow<OwnPlanFacts> }
>({ creator: 'uuid', now: 'timestamptz', id: 'uuid' }, (param) => {
  const now = param('now')
  return sql`select json_build_object(${planFields(sql`true`, now)}, 'thanks', l.thanks,
      'monthlyYen', (select coalesce(sum(n.monthly_yen), 0) from plan_count_changes n where n.plan_id = l.id),
      'nextPicture', (select m.state from plan_pictures p join media m on m.id = p.media_id
        where p.plan_id = l.id and p.role = 'next')) as plan
    from plans l where l.creator_id = ${param('creator')} and (${param('id')} is null or l.id = ${param('id')})
    order by l.ends_at is not null and l.ends_at <= ${now}, l.position, l.price, l.id`
})

/** A creator's plans in their order; those that have ended come last. */
export async function ownPlansOf(db: Db, creatorId: string, now: number): Promise<OwnPlanFacts[]> {
  const rows = await ownPlans(db, { creator: creatorId, now: momentOf(now), id: null })
  return rows.map((row) => toPlanFacts(row.plan))
}

/** @returns undefined when this creator has no such plan */
export async function findOwnPlan(
  db: Db,
  creatorId: string,
  id: string,
  now: number,
): Promise<OwnPlanFacts | undefined> {
  const [row] = await ownPlans(db, { creator: creatorId, now: momentOf(now), id })
  return row && toPlanFacts(row.plan)
}

const onePlan = statement<{ id: string; now: string }, { plan: PlanFactsRow & { creatorId: string } }>(
  { id: 'uuid', now: 'timestamptz' },
  (param) =>
    sql`select json_build_object('creatorId', l.creator_id,
        ${planFields(sql`l.member_limit is not null`, param('now'))}) as plan
      from plans l where l.id = ${param('id')}`,
)

/** A plan by its id, with its creator. Its members are counted only if they are limited. */
export async function findPlanFacts(
  db: Db,
  id: string,
  now: number,
): Promise<(PlanFacts & { readonly creatorId: string }) | undefined> {
  const [row] = await onePlan(db, { id, now: momentOf(now) })
  return row && toPlanFacts(row.plan)
}
