// Finds messages that their recipient may report, and those around one.
import { and, asc, between, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import {
  conversationMembers,
  conversations,
  hiddenMessages,
  messageMedia,
  messages,
} from '#server/store/tables/messages.ts'
import { pairOf } from './contacts.ts'

export interface ReportableMessage {
  readonly conversationId: string
  readonly seq: number
  readonly senderId: string
}

interface Wanted {
  readonly id: string
  readonly viewer: string
  readonly since: string
}

/** Every moment from which the viewer does not see the message `m` is null, or not before `since`. */
const isSeenSince = (viewer: SQL, since: SQL): SQL => sql`(m.unsent_at is null or m.unsent_at >= ${since})
      and (m.seq > mine.cleared_seq or mine.cleared_at >= ${since})
      and not exists (select 1 from ${hiddenMessages} as h
        where h.message_id = m.id and h.user_id = ${viewer} and h.hidden_at < ${since})
      and not exists (select 1 from blocks b where b.created_at < ${since} and (
        (b.blocker_id = ${viewer} and b.blocked_id = other.user_id) or (b.blocker_id = other.user_id and b.blocked_id = ${viewer})))`

/** The messages `m` of conversations of a person, with their row and that of the other person. */
const ofMember = (viewer: SQL): SQL => sql`from ${messages} as m
    join ${conversationMembers} as mine on mine.conversation_id = m.conversation_id and mine.user_id = ${viewer}
    join ${conversationMembers} as other on other.conversation_id = m.conversation_id and other.user_id <> mine.user_id`

const reportable = statement<Wanted, ReportableMessage>(
  { id: 'uuid', viewer: 'uuid', since: 'timestamptz' },
  (param) => {
    const [viewer, since] = [param('viewer'), param('since')]
    return sql`select m.conversation_id as "conversationId", m.seq, m.sender_id as "senderId"
    ${ofMember(viewer)} where m.id = ${param('id')} and ${isSeenSince(viewer, since)}`
  },
)

/**
 * A message of a conversation of the viewer, as long as they see it, and until a while after a block, after it was unsent,
 * and after the viewer has deleted it.
 * @param since what has hidden the message before this moment is final, ms since 1970
 */
export async function findReportable(
  db: Db,
  id: string,
  viewer: string,
  since: number,
): Promise<ReportableMessage | undefined> {
  return (await reportable(db, { id, viewer, since: momentOf(since) }))[0]
}

/** Messages of one person that another one may report. */
const LISTED = 20
/** Longest excerpt, characters of the database. */
const EXCERPT = 200

interface Listing {
  readonly viewer: string
  readonly other: string
  readonly pair: string
  readonly since: string
}

export interface ListedReportable {
  readonly id: string
  readonly sentAt: string
  readonly excerpt: string
  readonly mediaCount: number
}

const listed = statement<Listing, ListedReportable>(
  { viewer: 'uuid', other: 'uuid', pair: 'text', since: 'timestamptz' },
  (param) => {
    const [viewer, since] = [param('viewer'), param('since')]
    return sql`select m.id, m.sent_at as "sentAt", left(m.content, ${sql.raw(String(EXCERPT))}) as excerpt,
      (select count(*)::int from ${messageMedia} as a where a.message_id = m.id) as "mediaCount"
    ${ofMember(viewer)} join ${conversations} as c on c.id = m.conversation_id
    where c.pair = ${param('pair')} and m.sender_id = ${param('other')} and m.unsent_at is null
      and ${isSeenSince(viewer, since)}
    order by m.seq desc limit ${sql.raw(String(LISTED))}`
  },
)

/** The newest messages of a person that `findReportable` finds for the viewer, without unsent ones. */
export function listReportable(
  db: Db,
  viewer: string,
  other: string,
  since: number,
): Promise<ListedReportable[]> {
  return listed(db, { viewer, other, pair: pairOf(viewer, other), since: momentOf(since) })
}

export type QuotedMessage = Pick<
  typeof messages.$inferSelect,
  'id' | 'seq' | 'senderId' | 'content' | 'postId' | 'sentAt' | 'unsentAt'
>

/** The messages of a conversation from one sequence number to another, in their order. */
export function messagesBetween(
  db: Db,
  conversationId: string,
  first: number,
  last: number,
): Promise<QuotedMessage[]> {
  const { id, seq, senderId, content, postId, sentAt, unsentAt } = messages
  return db
    .select({ id, seq, senderId, content, postId, sentAt, unsentAt })
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), between(seq, first, last)))
    .orderBy(asc(seq))
}

/** The id of a message of the conversation of two people, by its place. */
export async function findMessageAt(
  db: Db,
  viewerId: string,
  otherId: string,
  seq: number,
): Promise<string | undefined> {
  const { rows } = (await db.execute(sql`select m.id ${ofMember(sql`${viewerId}::uuid`)}
    where other.user_id = ${otherId}::uuid and m.seq = ${seq} and m.sender_id = ${otherId}::uuid`)) as {
    rows: { id: string }[]
  }
  return rows[0]?.id
}
