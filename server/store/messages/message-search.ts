// The index of messages: entries of the people who see them, and searches in them.
import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { dateOf, momentOf, type Params, statement } from '#server/store/statement.ts'
import { conversationMembers, messageMedia, messages } from '#server/store/tables/messages.ts'
import { messageSearch } from '#server/store/tables/search.ts'
import { factsColumns, type MessageFacts, notHidden } from './message-facts.ts'

/** A message as the index has it. */
export interface IndexedMessage {
  readonly id: string
  readonly conversationId: string
  readonly seq: number
  readonly senderId: string
  readonly sentAt: Date
  readonly hasLink: boolean
  readonly folded: string
  readonly grams: readonly string[]
}

/** The lexeme of a person. Texts have no lexeme with a colon in front of 32 digits. */
const personLexeme = (userId: string): string => `u:${userId.replaceAll('-', '')}`

/** Adds the entries of a message for the people who see it. */
export async function indexMessage(tx: Db, it: IndexedMessage, userIds: readonly string[]): Promise<void> {
  await tx
    .insert(messageSearch)
    .values(
      userIds.map((userId) => ({
        userId,
        messageId: it.id,
        conversationId: it.conversationId,
        seq: it.seq,
        sentAt: it.sentAt,
        isOwn: userId === it.senderId,
        hasLink: it.hasLink,
        folded: it.folded,
        grams: sql<string>`array_to_tsvector(${sql.param([...it.grams, personLexeme(userId)])}::text[])`,
      })),
    )
    .onConflictDoNothing()
}

const seers = (message: SQL): SQL => sql`from ${messages} as m
  join ${conversationMembers} as mine on mine.conversation_id = m.conversation_id
  where m.id = ${message} and m.unsent_at is null and m.content <> '' and m.seq > mine.cleared_seq
    and (mine.state <> 'declined' or m.sender_id = mine.user_id) and ${notHidden('m', sql.raw('mine.user_id'))}`

const viewers = statement<{ id: string }, { readonly id: string }>(
  { id: 'uuid' },
  (param) => sql`select mine.user_id as id ${seers(param('id'))}`,
)

/** The people who see a message. */
export async function viewersOfMessage(tx: Db, messageId: string): Promise<string[]> {
  return (await viewers(tx, { id: messageId })).map((it) => it.id)
}

const unindexed = statement<{ limit: number }, { readonly id: string }>(
  { limit: 'integer' },
  (param) => sql`select u.id from ${messages} as u
    where not exists (select 1 from ${messageSearch} as s where s.message_id = u.id)
      and exists (select 1 ${seers(sql.raw('u.id'))}) order by u.id limit ${param('limit')} for update of u`,
)

/** Messages that a person sees and that have no entry, written by a version without the index. */
export async function listUnindexedMessages(tx: Db, limit: number): Promise<string[]> {
  return (await unindexed(tx, { limit })).map((it) => it.id)
}

/** Removes a message from the index: of one person, or of both when it was unsent. */
export async function unindexMessage(tx: Db, messageId: string, userId?: string): Promise<void> {
  await tx
    .delete(messageSearch)
    .where(
      and(
        eq(messageSearch.messageId, messageId),
        userId === undefined ? undefined : eq(messageSearch.userId, userId),
      ),
    )
}

/** Removes what a person has cleared. @param upTo sequence number */
export async function unindexCleared(
  tx: Db,
  conversationId: string,
  userId: string,
  upTo: number,
): Promise<void> {
  await tx
    .delete(messageSearch)
    .where(
      and(
        eq(messageSearch.conversationId, conversationId),
        eq(messageSearch.userId, userId),
        lte(messageSearch.seq, upTo),
      ),
    )
}

export interface MessageFilters {
  readonly otherId?: string | undefined
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
  readonly other: string | null
  readonly isOwn: boolean | null
  readonly has: string | null
  readonly since: string
  readonly before: string
  readonly olderAt: string
  readonly olderId: string
}

const types = {
  viewer: 'uuid',
  words: 'tsquery',
  recheck: 'text[]',
  other: 'uuid',
  isOwn: 'boolean',
  has: 'text',
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

function filtered(param: Param): SQL {
  const [isOwn, has, other] = [param('isOwn'), param('has'), param('other')]
  const holdsMedia = (
    kind: string,
  ) => sql`exists (select 1 from ${messageMedia} as held join media f on f.id = held.media_id
    where held.message_id = s.message_id and f.kind = ${sql.raw(`'${kind}'`)})`
  return sql`(${isOwn} is null or s.is_own = ${isOwn}) and (${other} is null or theirs.user_id = ${other})
    and case ${has} when 'link' then s.has_link when 'image' then ${holdsMedia('image')}
      when 'video' then ${holdsMedia('video')} else true end`
}

const newest = sql.raw('sent_at desc, message_id desc')

/** @param candidates rows `s` of the index, newest first */
const pageOf = (candidates: SQL, where: SQL, limit: number, param: Param): SQL => {
  const viewer = param('viewer')
  const own = { cleared: sql.raw('mine.cleared_seq'), state: sql.raw('mine.state') }
  return sql`select ${factsColumns(viewer, own)}, theirs.user_id as "otherId" from (${candidates}) as s
    join ${messages} as m on m.id = s.message_id
    join ${conversationMembers} as mine on mine.conversation_id = s.conversation_id and mine.user_id = ${viewer}
    join ${conversationMembers} as theirs on theirs.conversation_id = s.conversation_id and theirs.user_id <> ${viewer}
    where ${where} and ${filtered(param)} and m.unsent_at is null and m.seq > mine.cleared_seq
      and ${notBlocked(viewer, sql.raw('theirs.user_id'))}
    order by s.sent_at desc, s.message_id desc limit ${sql.raw(String(limit))}`
}

/**
 * Finds messages that contain all searched words, newest first. As with posts, one statement scans the newest messages of the
 * person, which fills a page with frequent words; otherwise the words are rare, and the index has few entries for them.
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
  const rows = sql.raw('s.message_id, s.conversation_id, s.sent_at, s.is_own, s.has_link, s.grams, s.folded')
  const among = statement<SearchQuery, FoundMessage>(types, (param) => {
    const recent = sql`select ${rows} from ${messageSearch} as s where ${within(param)}
      order by ${newest} limit ${sql.raw(String(newestFirst))}`
    return pageOf(recent, holds(param), limit, param)
  })
  const anywhere = statement<SearchQuery, FoundMessage>(types, (param) => {
    const all = sql`select ${rows} from ${messageSearch} as s where ${within(param)} and ${holds(param)}
      order by ${newest} offset 0`
    return pageOf(all, sql`true`, limit, param)
  })
  return async (db, viewerId, { tsquery, recheck }, { filters, after }) => {
    const query = {
      viewer: viewerId,
      words: `${tsquery} & '${personLexeme(viewerId)}'`,
      recheck,
      other: filters.otherId ?? null,
      isOwn: filters.isOwn ?? null,
      has: filters.has ?? null,
      since: filters.since ? momentOf(filters.since) : '-infinity',
      before: filters.before ? momentOf(filters.before) : 'infinity',
      olderAt: after ? momentOf(after.at) : 'infinity',
      olderId: after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    }
    const recent = await among(db, query)
    return recent.length < limit ? anywhere(db, query) : recent
  }
}

/** The place of a found message among the results. */
export const placeOfFound = ({ sentAt, id }: FoundMessage): MessagePlace => ({ at: dateOf(sentAt), id })
