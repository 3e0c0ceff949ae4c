// What paid and complimentary memberships open: their plan, and cheaper ones.
import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'
import { planMembers, plans } from '#server/store/tables/plans.ts'
import { openGrantsOf } from './plans.ts'

/** Devices may show offline copies for so long after the paid time, while a renewal may still come (`PAST_DUE_MS`). */
const COPIES = sql.raw(`interval '14 days'`)

const endsAt = sql`case m.state when 'cancelling' then m.paid_until when 'ended' then m.ended_at end`
const copiesUntil = sql`case when m.state in ('active', 'past_due') then m.paid_until + ${COPIES} end`
const momentSql = (now: number) => sql`${momentOf(now)}::timestamptz`

/**
 * For a join of the plan `p` of the membership `m` and a plan `l` of its creator: the membership opens it. What is cheaper follows
 * from the price that its member agreed to, whatever new members pay.
 */
export const opensPlan = sql`(l.id = p.id or (p.opens_cheaper and l.price < m.price))`

/** For the same join: neither plan was added or changed within the last minutes, in which a mistake is corrected. */
const isSettled = (now: number) =>
  sql`(l.id = p.id or greatest(l.settles_at, p.settles_at, '-infinity') <= ${momentSql(now)})`

/**
 * Opens the plan of each of these memberships, and the cheaper plans of its creator where the plan opens them. A row that
 * is open already stays as it is. What complimentary memberships open has rows of its own.
 * @param which condition over the membership `m`, its plan `p` and a plan `l` that it opens
 */
async function open(tx: Db, which: SQL, now: number): Promise<void> {
  const moment = momentSql(now)
  // A row of the version before may be the only one of a gift, and is replaced.
  await openGifts(
    tx,
    sql`exists (select 1 from memberships m join plans p on p.id = m.plan_id
      join plans l on l.creator_id = p.creator_id
      where m.user_id = c.user_id and m.creator_id = c.creator_id and ${which})`,
    now,
  )
  await tx.execute(sql`
    insert into plan_members as g
      (plan_id, user_id, joined_at, ends_at, opens_from, membership_id, is_included, copies_until)
    select l.id, m.user_id, ${moment}, ${endsAt},
      case when l.back_numbers = 'since_joining' then ${moment} end,
      m.id, l.id <> m.plan_id, ${copiesUntil}
    from memberships m
    join plans p on p.id = m.plan_id
    join plans l on l.creator_id = p.creator_id and ${opensPlan}
    where m.state <> 'ended' and ${which}
    on conflict (plan_id, user_id) do update set
      ends_at = excluded.ends_at,
      copies_until = excluded.copies_until,
      is_included = excluded.is_included,
      membership_id = excluded.membership_id,
      complimentary_id = null,
      joined_at = case when g.ends_at <= ${moment} or g.complimentary_id is not null or g.is_included > excluded.is_included
        then excluded.joined_at else g.joined_at end,
      opens_from = case when g.ends_at <= ${moment} or g.complimentary_id is not null
        then excluded.opens_from else g.opens_from end
    where g.membership_id = excluded.membership_id or g.ends_at <= ${moment} or g.complimentary_id is not null`)
}

/** Opens what a new membership has to open: what the order named. */
export const openJoined = (tx: Db, membershipId: string, now: number): Promise<void> =>
  open(tx, sql`m.id = ${membershipId}`, now)

/** Opens what a changed membership has to open, except by plans that have not settled. */
export const openGrants = (tx: Db, membershipId: string, now: number): Promise<void> =>
  open(tx, sql`m.id = ${membershipId} and ${isSettled(now)}`, now)

/** Opens to the running memberships of a creator what plans that were added or changed, and have settled, open. */
export async function openSettled(tx: Db, creatorId: string, now: number): Promise<void> {
  const moment = momentSql(now)
  const isNew = sql`(l.settles_at <= ${moment} or p.settles_at <= ${moment})`
  await open(tx, sql`m.creator_id = ${creatorId} and ${isNew} and ${isSettled(now)}`, now)
  await tx
    .update(plans)
    .set({ settlesAt: null })
    .where(and(eq(plans.creatorId, creatorId), lte(plans.settlesAt, new Date(now))))
}

/** Creators of plans that have settled, and have not been opened yet. */
export async function listSettled(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: plans.creatorId })
    .from(plans)
    .where(lte(plans.settlesAt, new Date(now)))
    .limit(limit)
  return rows.map((row) => row.id)
}

/**
 * Opens what the version before left closed, because a plan could have one source: gifts that it gave, and memberships beside
 * gifts. A second time changes nothing.
 */
export async function openBesideGifts(tx: Db, now: number): Promise<void> {
  await openGifts(tx, sql`true`, now)
  await open(
    tx,
    sql`exists (select 1 from complimentary_memberships c
      join plan_members g on g.user_id = c.user_id and g.complimentary_id = c.id
      where c.user_id = m.user_id and c.creator_id = m.creator_id) and ${isSettled(now)}`,
    now,
  )
}

/**
 * Opens the plan of each of these complimentary memberships and, where it opens them, the cheaper plans of its creator, once: a
 * later price changes nothing. One that the version before gave keeps what that opened.
 * @param which condition over the complimentary membership `c`
 */
export async function openGifts(tx: Db, which: SQL, now: number): Promise<void> {
  await tx.execute(sql`
    insert into complimentary_grants (plan_id, user_id, complimentary_id, joined_at, ends_at, opens_from, is_included)
    select l.id, c.user_id, c.id, coalesce(g.joined_at, c.created_at), c.ends_at,
      case when g.plan_id is not null then g.opens_from when l.back_numbers = 'since_joining' then c.created_at end,
      l.id <> p.id
    from complimentary_memberships c
    join plans p on p.id = c.plan_id
    join plans l on l.creator_id = p.creator_id
    left join plan_members g on g.plan_id = l.id and g.user_id = c.user_id and g.complimentary_id = c.id
    where c.ends_at > ${momentSql(now)} and ${which}
      and (l.id = p.id or g.plan_id is not null or (p.opens_cheaper and l.price < p.price))
      and not exists (select 1 from complimentary_grants known where known.complimentary_id = c.id)
    on conflict do nothing`)
}

/**
 * Stores with the last month that a membership paid the plans that it opens now, in addition to those of before: they stay open to a
 * person who comes back after a pause.
 */
export async function noteOpened(tx: Db, membershipId: string, now: number): Promise<void> {
  await tx.execute(sql`
    update payments paid set opened_plans = opened.ids
    from memberships m cross join lateral (
      select array_agg(distinct plan_id) as ids from (
        select g.plan_id from plan_members g where g.membership_id = m.id and ${isOpen(now)}
        union select unnest(before.opened_plans) from payments before
          where before.membership_id = m.id and before.period_until = m.paid_until) of_month) opened
    where m.id = ${membershipId} and paid.membership_id = m.id and paid.period_until = m.paid_until
      and paid.opened_plans is distinct from opened.ids`)
}

const isOpen = (now: number) => sql`(g.ends_at is null or g.ends_at > ${momentSql(now)})`

/** Sets the end of all that a membership opens now, as its state says. */
export async function setGrantsEnd(tx: Db, membershipId: string, now: number): Promise<void> {
  await tx.execute(sql`
    update plan_members g set ends_at = ${endsAt}, copies_until = ${copiesUntil}
    from memberships m where m.id = g.membership_id and m.id = ${membershipId} and ${isOpen(now)}`)
}

/**
 * Opens again what closed when a membership ended, since it goes on: a change of a plan in between closes nothing to its member.
 * @param since the end of the membership or of what was paid, whichever was first, ms since 1970
 */
export async function reopenGrants(tx: Db, membershipId: string, since: number): Promise<void> {
  await tx
    .update(planMembers)
    .set({ endsAt: null })
    .where(and(eq(planMembers.membershipId, membershipId), gte(planMembers.endsAt, new Date(since))))
}

/** Closes what the earlier plan of a membership opened and the present one does not. */
export async function closeOtherGrants(tx: Db, membershipId: string, now: number): Promise<void> {
  await tx.execute(sql`
    update plan_members g set ends_at = ${momentSql(now)}, copies_until = null
    from memberships m where m.id = g.membership_id and m.id = ${membershipId} and ${isOpen(now)}
      and not exists (select 1 from plans p join plans l on l.creator_id = p.creator_id
        where p.id = m.plan_id and l.id = g.plan_id and ${opensPlan})`)
}

/** Whether a person has a plan now without a paid membership, other than through a dearer one, which they may pay for meanwhile. */
export async function hasGivenPlan(db: Db, planId: string, userId: string, now: number): Promise<boolean> {
  return (await openGrantsOf(db, planId, userId, now)).some((it) => !it.isPaid && !it.isIncluded)
}
