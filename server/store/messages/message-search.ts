// Searches in the messages that a person sees.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { dateOf, momentOf, type Params, statement } from '#server/store/statement.ts'
import { conversationMembers, messages } from '#server/store/tables/messages.ts'
import { messageSearch } from '#server/store/tables/search.ts'
import { factsColumns, type MessageFacts } from './message-facts.ts'
import { limitLexemes } from './message-index.ts'

export interface MessageFilters {
  readonly conversationId?: string | undefined
  readonly isOwn?: boolean | undefined
  readonly has?: 'image' | 'video' | 'link' | undefined
  readonly since?: Date | undefined
  /** Only messages sent before this. */
  readonly before?: Date | undefined
}

export interface MessagePlace {
  readonly at: Date
  readonly id: string
}

interface SearchQuery {
  readonly viewer: string
  readonly words: string
  readonly recheck: readonly string[]
  readonly conversation: string | null
  readonly since: string
  readonly before: string
  readonly olderAt: string
  readonly olderId: string
}

const types = {
  viewer: 'uuid',
  words: 'tsquery',
  recheck: 'text[]',
  conversation: 'uuid',
  since: 'timestamptz',
  before: 'timestamptz',
  olderAt: 'timestamptz',
  olderId: 'uuid',
} as const

export interface FoundMessage extends MessageFacts {
  readonly otherId: string
}

type Param = Params<SearchQuery>

const within = (param: Param): SQL => sql`s.user_id = ${param('viewer')}
  and s.sent_at >= ${param('since')} and s.sent_at < ${param('before')}
  and (s.sent_at, s.message_id) < (${param('olderAt')}, ${param('olderId')})`

const holds = (param: Param): SQL => sql`s.grams @@ ${param('words')}
  and not exists (select 1 from unnest(${param('recheck')}) as term where strpos(s.folded, term) = 0)`

const newest = sql.raw('s.sent_at desc, s.message_id desc')

/** @param hits rows `s` of the index */
const pageOf = (hits: SQL, where: SQL, limit: number, param: Param): SQL => {
  const viewer = param('viewer')
  const own = { cleared: sql.raw('mine.cleared_seq'), state: sql.raw('mine.state') }
  return sql`select ${factsColumns(viewer, own)}, theirs.user_id as "otherId" from ${hits} as s
    join ${messages} as m on m.id = s.message_id
    join ${conversationMembers} as mine on mine.conversation_id = s.conversation_id and mine.user_id = ${viewer}
    join ${conversationMembers} as theirs on theirs.conversation_id = s.conversation_id and theirs.user_id <> ${viewer}
    where ${where} and m.unsent_at is null and m.seq > mine.cleared_seq
      and ${notBlocked(viewer, sql.raw('theirs.user_id'))}
    order by ${newest} limit ${sql.raw(String(limit))}`
}

/** Scans the newest messages of the person, or of one conversation, each in the order of an index. */
const scan = (limit: number, newestFirst: number, of: (param: Param) => SQL) =>
  statement<SearchQuery, FoundMessage>(types, (param) => {
    const recent = sql`(select s.* from ${messageSearch} as s where ${of(param)} and ${within(param)}
      order by ${newest} limit ${sql.raw(String(newestFirst))})`
    return pageOf(recent, holds(param), limit, param)
  })

/** Materialized, so that the planner, which cannot see how rare the words are, uses the index of the words. */
const lookup = (limit: number) =>
  statement<SearchQuery, FoundMessage>(types, (param) => {
    const found = sql`select s.user_id, s.message_id, s.conversation_id, s.sent_at
      from ${messageSearch} as s where ${holds(param)}`
    return sql`with found as materialized (${found}) ${pageOf(sql.raw('found'), within(param), limit, param)}`
  })

/**
 * Finds messages that contain all searched words, newest first. As with posts, one statement scans the newest messages, which
 * fills a page with frequent words; otherwise the words are rare, and the index has few entries for them.
 * @param limit messages of a page
 * @param newestFirst how many messages the first statement scans
 */
export function messageSearches(
  limit: number,
  newestFirst = 2000,
): (
  db: Db,
  viewerId: string,
  words: { readonly tsquery: string; readonly recheck: readonly string[] },
  page: { readonly filters: MessageFilters; readonly after: MessagePlace | undefined },
) => Promise<FoundMessage[]> {
  const scanAll = scan(limit, newestFirst, () => sql`true`)
  const scanConversation = scan(
    limit,
    newestFirst,
    (param) => sql`s.conversation_id = ${param('conversation')}`,
  )
  const anywhere = lookup(limit)
  return async (db, viewerId, { tsquery, recheck }, { filters, after }) => {
    const { conversationId, isOwn, has, since, before } = filters
    const limits = [
      limitLexemes.person(viewerId),
      ...(conversationId === undefined ? [] : [limitLexemes.conversation(conversationId)]),
      ...(isOwn === undefined ? [] : [limitLexemes.writer(isOwn)]),
      ...(has === undefined ? [] : [limitLexemes.part(has)]),
    ]
    const query = {
      viewer: viewerId,
      words: [tsquery, ...limits.map((it) => `'${it}'`)].join(' & '),
      recheck,
      conversation: conversationId ?? null,
      since: since ? momentOf(since) : '-infinity',
      before: before ? momentOf(before) : 'infinity',
      olderAt: after ? momentOf(after.at) : 'infinity',
      olderId: after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    }
    const recent = await (conversationId === undefined ? scanAll : scanConversation)(db, query)
    return recent.length < limit ? anywhere(db, query) : recent
  }
}

/** The place of a found message among the results. */
export const placeOfFound = ({ sentAt, id }: FoundMessage): MessagePlace => ({ at: dateOf(sentAt), id })
