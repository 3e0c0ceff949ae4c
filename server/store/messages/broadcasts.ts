// Broadcasts: their recipients at acceptance, batches, deliveries and counts.
import { and, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { isPresent } from '#server/store/people/people.ts'
import { planGrants } from '#server/store/plans/plans.ts'
import { dateOf, momentOf, statement } from '#server/store/statement.ts'
import { broadcastRecipients, broadcasts } from '#server/store/tables/broadcasts.ts'
import { conversationMembers, messages } from '#server/store/tables/messages.ts'

export type BroadcastRow = typeof broadcasts.$inferSelect

interface Audience {
  readonly creator: string
  readonly plans: readonly string[]
  readonly now: string
}

const audienceTypes = { creator: 'uuid', plans: 'uuid[]', now: 'timestamptz' } as const

/** The members of plans, each once, as a list of members shows them to the creator. */
const audienceOf = (param: (name: keyof Audience) => SQL): SQL =>
  sql`select distinct g.user_id from ${planGrants} as g
    where g.plan_id in (select unnest(${param('plans')})) and not g.is_included
      and (g.ends_at is null or g.ends_at > ${param('now')}) and g.user_id <> ${param('creator')}
      and ${isPresent(sql`g.user_id`)} and ${notBlocked(param('creator'), sql`g.user_id`)}`

const audienceCounts = statement<Audience, { readonly count: number }>(
  audienceTypes,
  (param) => sql`select count(*)::int as count from (${audienceOf(param)}) as a`,
)

export async function countMembers(
  db: Db,
  creatorId: string,
  planIds: readonly string[],
  now: number,
): Promise<number> {
  const [row] = await audienceCounts(db, { creator: creatorId, plans: planIds, now: momentOf(now) })
  return row?.count ?? 0
}

const addRecipients = statement<Audience & { readonly id: string }, object>(
  { ...audienceTypes, id: 'uuid' },
  (param) => sql`insert into ${broadcastRecipients} (broadcast_id, user_id, message_id)
    select ${param('id')}, a.user_id, gen_random_uuid() from (${audienceOf(param)}) as a`,
)

/** Adds a broadcast with the members of its plans at this moment. */
export async function addBroadcast(
  tx: Db,
  row: Pick<BroadcastRow, 'id' | 'creatorId' | 'content' | 'postId' | 'planIds'>,
  now: number,
): Promise<void> {
  await tx.insert(broadcasts).values({ ...row, createdAt: new Date(now) })
  await addRecipients(tx, { id: row.id, creator: row.creatorId, plans: row.planIds, now: momentOf(now) })
}

export async function findBroadcast(db: Db, id: string): Promise<BroadcastRow | undefined> {
  return (await db.select().from(broadcasts).where(eq(broadcasts.id, id)))[0]
}

export function countBroadcastsSince(db: Db, creatorId: string, since: number): Promise<number> {
  const { creatorId: by, createdAt } = broadcasts
  return db.$count(broadcasts, and(eq(by, creatorId), gt(createdAt, new Date(since))))
}

const isRunning = and(isNull(broadcasts.stoppedAt), isNull(broadcasts.doneAt))

/** Stops a running broadcast. It waits for deliveries that have begun, so that none follows. */
export async function setStopped(tx: Db, id: string, now: number): Promise<void> {
  await tx
    .update(broadcasts)
    .set({ stoppedAt: new Date(now) })
    .where(and(eq(broadcasts.id, id), isRunning))
}

/** Keeps a broadcast from being stopped until the transaction ends. @returns undefined unless it is running */
export async function holdRunning(tx: Db, id: string): Promise<BroadcastRow | undefined> {
  return (
    await tx
      .select()
      .from(broadcasts)
      .where(and(eq(broadcasts.id, id), isRunning))
      .for('share')
  )[0]
}

export interface BroadcastRecipient {
  readonly userId: string
  readonly messageId: string
}

const { broadcastId, userId, messageId, state, attempts } = broadcastRecipients

/** Locks a recipient who waits, and whom no other runner has locked; those with failed attempts come last. */
export async function claimRecipient(tx: Db, id: string): Promise<BroadcastRecipient | undefined> {
  const rows = await tx
    .select({ userId, messageId })
    .from(broadcastRecipients)
    .where(and(eq(broadcastId, id), eq(state, 'waiting')))
    .orderBy(attempts, messageId)
    .limit(1)
    .for('update', { skipLocked: true })
  return rows[0]
}

export async function setHandled(tx: Db, message: string, to: 'delivered' | 'skipped'): Promise<void> {
  await tx.update(broadcastRecipients).set({ state: to }).where(eq(messageId, message))
}

/** Counts a failed delivery. After the last attempt the recipient is skipped. */
export async function countFailure(db: Db, message: string, most: number): Promise<void> {
  await db
    .update(broadcastRecipients)
    .set({
      attempts: sql`${attempts} + 1`,
      state: sql`case when ${attempts} + 1 >= ${most} then 'skipped' else ${state} end`,
    })
    .where(and(eq(messageId, message), eq(state, 'waiting')))
}

/**
 * Ends a batch: the next one is due, or the broadcast is done.
 * @returns the number of the next batch; undefined when there is none, or another runner has ended this one
 */
export async function endBroadcastBatch(
  tx: Db,
  id: string,
  batch: number,
  now: number,
): Promise<number | undefined> {
  const hasMore = sql`exists (select 1 from ${broadcastRecipients} as r where r.broadcast_id = ${id} and r.state = 'waiting')`
  const rows = await tx
    .update(broadcasts)
    .set({
      batch: batch + 1,
      doneAt: sql`case when ${hasMore} then null else ${new Date(now).toISOString()}::timestamptz end`,
    })
    .where(and(eq(broadcasts.id, id), eq(broadcasts.batch, batch), isRunning))
    .returning({ doneAt: broadcasts.doneAt })
  return rows[0]?.doneAt === null ? batch + 1 : undefined
}

/** Running broadcasts with the number of their due batch. */
export function listUnfinished(db: Db): Promise<Pick<BroadcastRow, 'id' | 'batch'>[]> {
  return db.select({ id: broadcasts.id, batch: broadcasts.batch }).from(broadcasts).where(isRunning)
}

/** Whether a person is a member of one of these plans at this moment, also through a dearer one. */
export async function isMemberOfAny(
  db: Db,
  planIds: readonly string[],
  memberId: string,
  now: number,
): Promise<boolean> {
  const rows = await memberships(db, { plans: planIds, user: memberId, now: momentOf(now) })
  return rows.length > 0
}

const memberships = statement<
  { plans: readonly string[]; user: string; now: string },
  { readonly found: number }
>(
  { plans: 'uuid[]', user: 'uuid', now: 'timestamptz' },
  (param) => sql`select 1 as found from ${planGrants} as g
    where g.user_id = ${param('user')} and g.plan_id in (select unnest(${param('plans')}))
      and (g.ends_at is null or g.ends_at > ${param('now')}) limit 1`,
)

/** Broadcasts of one page. */
export const BROADCASTS_PAGE = 10

export interface BroadcastFacts {
  readonly id: string
  readonly at: Date
  readonly content: string
  readonly postId: string | null
  readonly planIds: readonly string[]
  readonly isStopped: boolean
  readonly isDone: boolean
  readonly recipients: number
  readonly delivered: number
  readonly skipped: number
  readonly read: number | null
}

interface Listed {
  readonly creator: string
  readonly one: string | null
  readonly at: string
  readonly id: string
}

const marks = sql.raw(String(privacyDefaults.sendsReadMarks))

/** Recipients who have read their message, of those who send read marks and take part in the conversation. */
const readersOf = sql`(select count(*)::int from ${broadcastRecipients} as r
    join ${messages} as m on m.id = r.message_id
    join ${conversationMembers} as theirs on theirs.conversation_id = m.conversation_id and theirs.user_id = r.user_id
    left join user_settings s on s.user_id = r.user_id
    where r.broadcast_id = b.id and r.state = 'delivered' and theirs.read_seq >= m.seq
      and theirs.state in ('received', 'accepted') and coalesce(s.sends_read_marks, ${marks}))`

const list = statement<Listed, Omit<BroadcastFacts, 'at'> & { readonly at: string }>(
  { creator: 'uuid', one: 'uuid', at: 'timestamptz', id: 'uuid' },
  (
    param,
  ) => sql`select b.id, b.created_at as at, b.content, b.post_id as "postId", to_json(b.plan_ids) as "planIds",
      b.stopped_at is not null as "isStopped", b.done_at is not null as "isDone", n.recipients, n.delivered, n.skipped,
      case when coalesce((select s.sends_read_marks from user_settings s where s.user_id = b.creator_id), ${marks})
        then ${readersOf} end as read
    from ${broadcasts} as b cross join lateral (
      select count(*)::int as recipients, (count(*) filter (where r.state = 'delivered'))::int as delivered,
        (count(*) filter (where r.state = 'skipped'))::int as skipped
      from ${broadcastRecipients} as r where r.broadcast_id = b.id) as n
    where b.creator_id = ${param('creator')} and (${param('one')} is null or b.id = ${param('one')})
      and (b.created_at, b.id) < (${param('at')}, ${param('id')})
    order by b.created_at desc, b.id desc limit ${sql.raw(String(BROADCASTS_PAGE + 1))}`,
)

const beginning = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Broadcasts of a creator, newest first: one page, and one row more where there is another page. */
export async function listBroadcastFacts(
  db: Db,
  creatorId: string,
  after: { readonly at: Date; readonly id: string } | undefined,
): Promise<BroadcastFacts[]> {
  const place = after ? { at: momentOf(after.at), id: after.id } : beginning
  const rows = await list(db, { creator: creatorId, one: null, ...place })
  return rows.map((row) => ({ ...row, at: dateOf(row.at) }))
}

/** @returns undefined when this creator has no such broadcast */
export async function findBroadcastFacts(
  db: Db,
  creatorId: string,
  id: string,
): Promise<BroadcastFacts | undefined> {
  const [row] = await list(db, { creator: creatorId, one: id, ...beginning })
  return row && { ...row, at: dateOf(row.at) }
}

/** Removes ended broadcasts that were accepted before a moment; their messages stay where they are. */
export async function removeBroadcastsBefore(db: Db, before: Date): Promise<void> {
  const { createdAt, stoppedAt, doneAt } = broadcasts
  await db.delete(broadcasts).where(and(lt(createdAt, before), or(isNotNull(stoppedAt), isNotNull(doneAt))))
}

/** Deletes a person's broadcasts, and the person among the recipients of others. */
export async function eraseBroadcasts(tx: Db, personId: string): Promise<void> {
  await tx.delete(broadcasts).where(eq(broadcasts.creatorId, personId))
  await tx.delete(broadcastRecipients).where(eq(userId, personId))
}
