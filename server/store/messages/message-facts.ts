// Reads messages with all data of their views for one viewer.
import { type SQL, sql } from 'drizzle-orm'
import type { Reaction } from '#contract/messages/messages.ts'
import { type MediaFacts, mediaFields } from '#server/store/media/media-facts.ts'
import {
  conversationMembers,
  hiddenMessages,
  messageMedia,
  messageReactions,
  messages,
} from '#server/store/tables/messages.ts'
import type { MemberRow } from './contacts.ts'

export interface MessageFacts {
  readonly id: string
  readonly seq: number
  readonly change: number
  readonly senderId: string
  readonly content: string
  /** In the sender's order, also where the viewer does not see them. */
  readonly media: readonly MediaFacts[] | null
  /** The post that it carries, also where the viewer does not see it. */
  readonly postId: string | null
  /** The viewer's state in the conversation. */
  readonly state: MemberRow['state']
  /** As text of the database. */
  readonly sentAt: string
  readonly unsentAt: string | null
  readonly reactions: readonly { readonly user_id: string; readonly reaction: Reaction }[] | null
  readonly replyTo: {
    readonly id: string
    readonly seq: number
    readonly sender_id: string
    readonly excerpt: string | null
    readonly media_count: number
    readonly has_post: boolean
  } | null
}

/** Longest excerpt of a message that another one replies to, characters of the database. */
const EXCERPT = 200

/** For a where clause: the viewer has not deleted this message for themselves. */
export const notHidden = (alias: string, viewer: SQL): SQL =>
  sql`not exists (select 1 from ${hiddenMessages} as h where h.message_id = ${sql.raw(alias)}.id and h.user_id = ${viewer})`

/** What the columns of messages depend on in the viewer's row of the conversation. */
export interface Side {
  /** The position up to which the viewer has deleted the conversation. */
  readonly cleared: SQL
  readonly state: SQL
}

/** The viewer's row, where the statement does not join it. */
export function sideOf(viewer: SQL, conversation: SQL): Side {
  const read = (column: string) =>
    sql`(select mine.${sql.raw(column)} from ${conversationMembers} as mine where mine.conversation_id = ${conversation} and mine.user_id = ${viewer})`
  return { cleared: read('cleared_seq'), state: read('state') }
}

/** The columns of `MessageFacts` of messages `m`. */
export function factsColumns(viewer: SQL, { cleared, state }: Side): SQL {
  const isVisible = sql`a.unsent_at is null and a.seq > ${cleared} and ${notHidden('a', viewer)}`
  return sql`m.id, m.seq, m.change, m.sender_id as "senderId", m.content, m.sent_at as "sentAt", m.unsent_at as "unsentAt",
    m.post_id as "postId", ${state} as state,
    (select json_agg(json_build_object(${mediaFields('f')}) order by held.position)
      from ${messageMedia} as held join media f on f.id = held.media_id where held.message_id = m.id) as media,
    (select json_agg(json_build_object('user_id', r.user_id, 'reaction', r.reaction) order by r.user_id)
      from ${messageReactions} as r where r.message_id = m.id) as reactions,
    case when m.reply_to_id is not null then (
      select json_build_object('id', a.id, 'seq', a.seq, 'sender_id', a.sender_id, 'excerpt',
        case when ${isVisible} then left(a.content, ${sql.raw(String(EXCERPT))}) end, 'media_count',
        case when ${isVisible} then (select count(*) from ${messageMedia} as held where held.message_id = a.id) else 0 end,
        'has_post', ${isVisible} and a.post_id is not null)
      from ${messages} as a where a.id = m.reply_to_id) end as "replyTo"`
}
