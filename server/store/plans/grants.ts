// What paid memberships open: their plan, and cheaper ones.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'
import { planMembers } from '#server/store/tables/plans.ts'

/** Devices may show offline copies for so long after the paid time, while a renewal may still come (`PAST_DUE_MS`). */
const COPIES = sql.raw(`interval '14 days'`)

const endsAt = sql`case m.state when 'cancelling' then m.paid_until when 'ended' then m.ended_at end`
const copiesUntil = sql`case when m.state in ('active', 'past_due') then m.paid_until + ${COPIES} end`

/**
 * Opens the plan of each of these memberships, and the cheaper plans of its creator where the plan opens them. A row that
 * is open already stays as it is; a plan that was given without payments is left alone, unless it is open through a dearer one.
 * @param which condition over the membership `m`
 */
async function open(tx: Db, which: SQL, now: number): Promise<void> {
  const moment = sql`${momentOf(now)}::timestamptz`
  await tx.execute(sql`
    insert into plan_members as g
      (plan_id, user_id, joined_at, ends_at, opens_from, membership_id, is_included, copies_until)
    select l.id, m.user_id, ${moment}, ${endsAt},
      case when l.back_numbers = 'since_joining' then ${moment} end,
      m.id, l.id <> m.plan_id, ${copiesUntil}
    from memberships m
    join plans p on p.id = m.plan_id
    join plans l on l.creator_id = p.creator_id and (l.id = p.id or (p.opens_cheaper and l.price < p.price))
    where m.state <> 'ended' and ${which}
    on conflict (plan_id, user_id) do update set
      ends_at = excluded.ends_at,
      copies_until = excluded.copies_until,
      is_included = excluded.is_included,
      membership_id = excluded.membership_id,
      complimentary_id = null,
      joined_at = case when g.ends_at <= ${moment} or g.is_included > excluded.is_included
        then excluded.joined_at else g.joined_at end,
      opens_from = case when g.ends_at <= ${moment} then excluded.opens_from else g.opens_from end
    where g.membership_id = excluded.membership_id or g.ends_at <= ${moment}
      or (g.complimentary_id is not null and g.is_included and not excluded.is_included)`)
}

/** Opens what a membership has to open now. */
export const openGrants = (tx: Db, membershipId: string, now: number): Promise<void> =>
  open(tx, sql`m.id = ${membershipId}`, now)

/** Opens plans to the running memberships of a creator, after the creator added a plan or changed prices. */
export const openGrantsOfCreator = (tx: Db, creatorId: string, now: number): Promise<void> =>
  open(tx, sql`m.creator_id = ${creatorId}`, now)

const isOpen = (now: number) => sql`(g.ends_at is null or g.ends_at > ${momentOf(now)}::timestamptz)`

/** Sets the end of all that a membership opens now, as its state says. */
export async function setGrantsEnd(tx: Db, membershipId: string, now: number): Promise<void> {
  await tx.execute(sql`
    update plan_members g set ends_at = ${endsAt}, copies_until = ${copiesUntil}
    from memberships m where m.id = g.membership_id and m.id = ${membershipId} and ${isOpen(now)}`)
}

/** Closes what the earlier plan of a membership opened and the present one does not. */
export async function closeOtherGrants(tx: Db, membershipId: string, now: number): Promise<void> {
  await tx.execute(sql`
    update plan_members g set ends_at = ${momentOf(now)}::timestamptz, copies_until = null
    from memberships m where m.id = g.membership_id and m.id = ${membershipId} and ${isOpen(now)}
      and not exists (select 1 from plans p join plans l on l.creator_id = p.creator_id
        where p.id = m.plan_id and l.id = g.plan_id and (l.id = p.id or (p.opens_cheaper and l.price < p.price)))`)
}

/** Whether a person is a member of a plan without a paid membership. */
export async function hasGivenPlan(db: Db, planId: string, userId: string, now: number): Promise<boolean> {
  const rows = await db
    .select({ planId: planMembers.planId })
    .from(planMembers)
    .where(
      and(
        eq(planMembers.planId, planId),
        eq(planMembers.userId, userId),
        sql`${planMembers.membershipId} is null`,
        // A member of a dearer complimentary plan may pay for this one.
        eq(planMembers.isIncluded, false),
        sql`(${planMembers.endsAt} is null or ${planMembers.endsAt} > ${momentOf(now)}::timestamptz)`,
      ),
    )
  return rows.length > 0
}
