// Lists of a person's conversations, counts of unread messages, and open channels.
import { type SQL, sql } from 'drizzle-orm'
import type { ConversationList } from '#contract/messages/conversation-lists.ts'
import { MAX_PINNED } from '#contract/limits.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { isPresent } from '#server/store/people/people.ts'
import { dateOf, momentOf, statement } from '#server/store/statement.ts'
import { conversationMembers, conversations, messages } from '#server/store/tables/messages.ts'
import { factsColumns, type MessageFacts, notHidden } from './message-facts.ts'

/** The place of a conversation in a list. */
export interface ListPlace {
  readonly at: Date
  readonly id: string
}

export interface ListedRow extends ListPlace {
  readonly otherId: string
  readonly unread: number
  readonly lastChange: number
  readonly lastDeletion: number
  readonly pinned: boolean
  readonly muted: boolean
  readonly archived: boolean
  readonly last: MessageFacts | null
}

interface Listed {
  readonly viewer: string
  readonly at: string
  readonly id: string
}

/** Conversations of one page. */
export const LIST_PAGE = 30

/** The viewer has not deleted all messages. */
const hasMessages = sql.raw('c.last_seq > mine.cleared_seq')
// Written out, so that the planner finds the partial indexes.
const inInbox = sql.raw(`mine.state in ('received', 'accepted')`)
const other = sql.raw('other.user_id')
const own = { cleared: sql.raw('mine.cleared_seq'), state: sql.raw('mine.state') }

/** The viewer's rows `mine` with those of the other person `other`, without blocked people. */
const joined = (viewer: SQL): SQL => sql`from ${conversationMembers} as mine
    join ${conversations} as c on c.id = mine.conversation_id
    join ${conversationMembers} as other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
      and ${notBlocked(viewer, other)}`

const conditions = {
  inbox: sql`${inInbox} and not mine.archived and mine.pinned_at is null`,
  archived: sql`${inInbox} and mine.archived`,
  requests: sql`mine.state = 'requested' and ${isPresent(other)}`,
  pinned: sql`${inInbox} and not mine.archived and mine.pinned_at is not null`,
} satisfies Record<ConversationList | 'pinned', SQL>

const list = (condition: SQL, limit: number) =>
  statement<Listed, Omit<ListedRow, 'at'> & { readonly at: string }>(
    { viewer: 'uuid', at: 'timestamptz', id: 'uuid' },
    (param) => {
      const viewer = param('viewer')
      return sql`select mine.conversation_id as id, other.user_id as "otherId", mine.last_at as at, mine.unread,
        c.last_change as "lastChange", mine.deletions as "lastDeletion",
        mine.pinned_at is not null as pinned, mine.muted, mine.archived, to_json(last) as last
      ${joined(viewer)}
      left join lateral (
        select ${factsColumns(viewer, own)} from ${messages} as m
        where m.conversation_id = mine.conversation_id and m.seq > mine.cleared_seq and ${notHidden('m', viewer)}
        order by m.seq desc limit 1) as last on true
      where mine.user_id = ${viewer} and ${condition} and ${hasMessages}
        and (mine.last_at, mine.conversation_id) < (${param('at')}, ${param('id')})
      order by mine.last_at desc, mine.conversation_id desc limit ${sql.raw(String(limit))}`
    },
  )

const lists = {
  inbox: list(conditions.inbox, LIST_PAGE + 1),
  archived: list(conditions.archived, LIST_PAGE + 1),
  requests: list(conditions.requests, LIST_PAGE + 1),
  pinned: list(conditions.pinned, MAX_PINNED),
}

const beginning = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** One page of a list, and one row more where there is another page. The pinned ones are one page. */
export async function listConversationRows(
  db: Db,
  viewerId: string,
  of: keyof typeof lists,
  after: ListPlace | undefined,
): Promise<ListedRow[]> {
  const place = after ? { at: momentOf(after.at), id: after.id } : beginning
  const rows = await lists[of](db, { viewer: viewerId, ...place })
  return rows.map((row) => ({ ...row, at: dateOf(row.at) }))
}

export interface UnreadCounts {
  readonly count: number
  readonly requests: number
}

/** Highest count; beyond it the database reads no further. */
const MOST = 999

const unreadCounts = statement<{ viewer: string }, UnreadCounts>({ viewer: 'uuid' }, (param) => {
  const viewer = param('viewer')
  const most = sql.raw(String(MOST))
  return sql`select
    (select least(coalesce(sum(n.unread), 0), ${most})::int from (
      select mine.unread ${joined(viewer)}
      where mine.user_id = ${viewer} and mine.unread > 0 and ${inInbox} and not mine.archived and not mine.muted
      limit ${most}) as n) as count,
    (select count(*)::int from (
      select 1 ${joined(viewer)} where mine.user_id = ${viewer} and ${conditions.requests} and ${hasMessages} limit ${most}) as n) as requests`
})

export async function countUnreadOf(db: Db, viewerId: string): Promise<UnreadCounts> {
  const [row] = await unreadCounts(db, { viewer: viewerId })
  return row ?? { count: 0, requests: 0 }
}

const open = statement<{ viewer: string; ids: readonly string[] }, { readonly id: string }>(
  { viewer: 'uuid', ids: 'uuid[]' },
  (param) => {
    const viewer = param('viewer')
    const marks = sql.raw(String(privacyDefaults.sendsReadMarks))
    return sql`select mine.conversation_id as id ${joined(viewer)}
    left join user_settings my_settings on my_settings.user_id = mine.user_id
    left join user_settings their_settings on their_settings.user_id = other.user_id
    where mine.user_id = ${viewer} and mine.conversation_id in (select unnest(${param('ids')})) and ${inInbox}
      and other.state in ('received', 'accepted') and ${isPresent(other)}
      and coalesce(my_settings.sends_read_marks, ${marks}) and coalesce(their_settings.sends_read_marks, ${marks})`
  },
)

/**
 * Those of these conversations whose channel the person may join, where the other one sees that they are there: both take
 * part, and both send read marks.
 */
export async function openConversations(
  db: Db,
  viewerId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  return new Set((await open(db, { viewer: viewerId, ids })).map((it) => it.id))
}
