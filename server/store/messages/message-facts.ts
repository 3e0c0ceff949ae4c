// Reads messages with all data of their views for one viewer.
import { type SQL, sql } from 'drizzle-orm'
import type { Reaction } from '#contract/messages/messages.ts'
import {
  conversationMembers,
  hiddenMessages,
  messageReactions,
  messages,
} from '#server/store/tables/messages.ts'

export interface MessageFacts {
  readonly id: string
  readonly seq: number
  readonly change: number
  readonly senderId: string
  readonly content: string
  /** As text of the database. */
  readonly sentAt: string
  readonly unsentAt: string | null
  readonly reactions: readonly { readonly user_id: string; readonly reaction: Reaction }[] | null
  readonly replyTo: {
    readonly id: string
    readonly seq: number
    readonly sender_id: string
    readonly excerpt: string | null
  } | null
}

/** Longest excerpt of a message that another one replies to, characters of the database. */
const EXCERPT = 200

/** For a where clause: the viewer has not deleted this message for themselves. */
export const notHidden = (alias: string, viewer: SQL): SQL =>
  sql`not exists (select 1 from ${hiddenMessages} as h where h.message_id = ${sql.raw(alias)}.id and h.user_id = ${viewer})`

/** The position up to which the viewer has deleted a conversation. */
export const clearedBy = (viewer: SQL, conversation: SQL): SQL =>
  sql`(select mine.cleared_seq from ${conversationMembers} as mine where mine.conversation_id = ${conversation} and mine.user_id = ${viewer})`

/** The columns of `MessageFacts` of messages `m`. @param cleared the viewer's position */
export const factsColumns = (viewer: SQL, cleared: SQL): SQL =>
  sql`m.id, m.seq, m.change, m.sender_id as "senderId", m.content, m.sent_at as "sentAt", m.unsent_at as "unsentAt",
    (select json_agg(json_build_object('user_id', r.user_id, 'reaction', r.reaction) order by r.user_id)
      from ${messageReactions} as r where r.message_id = m.id) as reactions,
    case when m.reply_to_id is not null then (
      select json_build_object('id', a.id, 'seq', a.seq, 'sender_id', a.sender_id, 'excerpt',
        case when a.unsent_at is null and a.seq > ${cleared} and ${notHidden('a', viewer)}
          then left(a.content, ${sql.raw(String(EXCERPT))}) end)
      from ${messages} as a where a.id = m.reply_to_id) end as "replyTo"`
