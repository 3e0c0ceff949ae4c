// Notices of the operator: writes them and their states, and finds those that are shown.
import { and, desc, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import type { NoticeList, NoticeState } from '#contract/notices/notice-states.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'
import { emails } from '#server/store/tables/accounts.ts'
import { noticeReadDays, notices } from '#server/store/tables/notifications.ts'

export type NoticeRow = typeof notices.$inferSelect
export type ShownNotice = NoticeRow & { readonly publishedAt: Date }

/** What staff write. */
export type NoticeWords = Pick<
  NoticeRow,
  | 'title'
  | 'body'
  | 'content'
  | 'audience'
  | 'audienceCreatorId'
  | 'audiencePlanId'
  | 'audienceBuild'
  | 'audienceWhich'
  | 'pushes'
  | 'mails'
  | 'isAdvertising'
  | 'isUrgent'
  | 'barUntil'
>

/** @returns false when the id is used already */
export async function addNotice(
  tx: Db,
  notice: NoticeWords & Pick<NoticeRow, 'id' | 'state' | 'createdAt' | 'publishedAt'>,
): Promise<boolean> {
  const added = await tx.insert(notices).values(notice).onConflictDoNothing().returning({ id: notices.id })
  return added.length === 1
}

export async function findNotice(db: Db, id: string): Promise<NoticeRow | undefined> {
  return (await db.select().from(notices).where(eq(notices.id, id)))[0]
}

/** Locks a notice until the transaction ends: a batch of it and a change by staff wait for each other. */
export async function lockNotice(tx: Db, id: string): Promise<NoticeRow | undefined> {
  return (await tx.select().from(notices).where(eq(notices.id, id)).for('update'))[0]
}

type Change = Partial<Omit<NoticeRow, 'id' | 'createdAt' | 'revision'>>

/** Stores a change by staff, which the revision counts. */
export async function changeNotice(tx: Db, id: string, change: Change): Promise<void> {
  await tx
    .update(notices)
    .set({ ...change, revision: sql`${notices.revision} + 1` })
    .where(eq(notices.id, id))
}

/** Stores a change by the server itself. */
export async function advanceNotice(tx: Db, id: string, change: Change): Promise<void> {
  await tx.update(notices).set(change).where(eq(notices.id, id))
}

/** Adds the people of one batch to the progress of a notice. */
export async function addProgress(tx: Db, id: string, reached: number, delivered: number): Promise<void> {
  await tx
    .update(notices)
    .set({
      reached: sql`${notices.reached} + ${reached}`,
      delivered: sql`${notices.delivered} + ${delivered}`,
    })
    .where(eq(notices.id, id))
}

export async function removeNotice(tx: Db, id: string): Promise<void> {
  await tx.delete(notices).where(eq(notices.id, id))
}

/** The states of `shownStates` (server/rules/notices/state.ts), which the store does not import. */
const shown: readonly NoticeState[] = ['publishing', 'stopped', 'published']

/** Those of these notices that readers see, by id. */
export async function findShown(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<Map<string, ShownNotice>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(notices)
    .where(
      and(
        inArray(notices.id, [...ids]),
        inArray(notices.state, [...shown]),
        lte(notices.publishedAt, new Date(now)),
      ),
    )
  return new Map(
    rows.flatMap((row) =>
      row.publishedAt === null ? [] : [[row.id, { ...row, publishedAt: row.publishedAt }]],
    ),
  )
}

const readers = sql<number>`(select coalesce(sum(${noticeReadDays.readers}), 0)::int from ${noticeReadDays} where ${noticeReadDays.noticeId} = ${notices.id})`

// A page of thirty texts would be most of what the database sends.
const { body: _body, content: _content, ...listed } = getTableColumns(notices)

export interface ListedNotice {
  readonly notice: Omit<NoticeRow, 'body' | 'content'>
  readonly readers: number
}

/** A page of the list of staff, the newest first; ids break ties. */
export function listNoticeRows(
  db: Db,
  list: NoticeList,
  page: { readonly after: { readonly at: Date; readonly id: string } | undefined; readonly limit: number },
): Promise<ListedNotice[]> {
  const { after } = page
  return db
    .select({ notice: listed, readers })
    .from(notices)
    .where(
      and(
        list === 'all' ? undefined : eq(notices.state, list),
        after &&
          sql`(${notices.createdAt}, ${notices.id}) < (${momentOf(after.at.getTime())}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(page.limit)
}

/** Scheduled notices that are due. */
export async function listDue(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.state, 'scheduled'), lte(notices.publishedAt, new Date(now))))
  return rows.map((it) => it.id)
}

/** Notices in a state, by id. */
export async function listInState(db: Db, state: NoticeState): Promise<string[]> {
  const rows = await db.select({ id: notices.id }).from(notices).where(eq(notices.state, state))
  return rows.map((it) => it.id)
}

/** Removes emails about a notice that are not sent yet. */
export async function removeEmailsAbout(tx: Db, noticeId: string): Promise<void> {
  await tx.delete(emails).where(eq(emails.noticeId, noticeId))
}
