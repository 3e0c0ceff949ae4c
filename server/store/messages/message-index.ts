// The index of messages: entries of the people who see them.
import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { FOLDING } from '#contract/text/fold.ts'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { conversationMembers, messageMedia, messages } from '#server/store/tables/messages.ts'
import { media } from '#server/store/tables/media.ts'
import { messageSearch } from '#server/store/tables/search.ts'
import { notHidden } from './message-facts.ts'

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

/**
 * Lexemes of an entry besides those of its text, so that the index intersects the words with what a search is limited to.
 * They begin with a space, with which no lexeme of a text begins and no searched word.
 */
export const limitLexemes = {
  person: (userId: string): string => ` u:${userId.replaceAll('-', '')}`,
  conversation: (conversationId: string): string => ` c:${conversationId.replaceAll('-', '')}`,
  writer: (isOwn: boolean): string => (isOwn ? ' from:me' : ' from:other'),
  part: (part: 'image' | 'video' | 'link'): string => ` has:${part}`,
} as const

/** Adds the entries of a message for the people who see it. Its media are attached before. */
export async function indexMessage(tx: Db, it: IndexedMessage, userIds: readonly string[]): Promise<void> {
  const kinds = sql`array(select distinct ' has:' || f.kind from ${messageMedia} as held
    join ${media} as f on f.id = held.media_id where held.message_id = ${it.id})`
  const lexemesOf = (userId: string): string[] => [
    ...it.grams,
    limitLexemes.person(userId),
    limitLexemes.conversation(it.conversationId),
    limitLexemes.writer(userId === it.senderId),
    ...(it.hasLink ? [limitLexemes.part('link')] : []),
  ]
  await tx
    .insert(messageSearch)
    .values(
      userIds.map((userId) => ({
        userId,
        messageId: it.id,
        conversationId: it.conversationId,
        seq: it.seq,
        sentAt: it.sentAt,
        folded: it.folded,
        folding: FOLDING,
        grams: sql<string>`array_to_tsvector(${sql.param(lexemesOf(userId))}::text[] || ${kinds})`,
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
