// Reads a person's conversations and messages, for their data export.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { statement } from '#server/store/statement.ts'
import { conversationMembers, messageMedia, messages } from '#server/store/tables/messages.ts'
import { notHidden } from './message-facts.ts'

export interface OwnMessageMedia {
  readonly id: string
  readonly kind: 'image' | 'video'
  readonly mime: string
  /** As its device named it. */
  readonly filename: string | null
}

export interface OwnMessage {
  readonly otherId: string
  readonly name: string
  readonly id: string
  readonly isOwn: boolean
  readonly content: string
  /** Its images and videos, in the sender's order. */
  readonly media: readonly OwnMessageMedia[] | null
  readonly replyTo: string | null
  /** Null for a received one of a message request. */
  readonly postId: string | null
  /** As text of the database. */
  readonly sentAt: string
  readonly unsentAt: string | null
  readonly reaction: string | null
}

const own = statement<{ user: string }, OwnMessage>({ user: 'uuid' }, (param) => {
  const user = param('user')
  return sql`select other.user_id as "otherId", u.name, m.id, m.sender_id = ${user} as "isOwn", m.content,
      m.reply_to_id as "replyTo", 
      case when m.sender_id = ${user} or mine.state in ('received', 'accepted') then m.post_id end as "postId", m.sent_at as "sentAt", m.unsent_at as "unsentAt",
      (select json_agg(json_build_object('id', f.id, 'kind', f.kind, 'mime', f.mime, 'filename', up.metadata ->> 'filename')
          order by a.position)
        from ${messageMedia} as a join media f on f.id = a.media_id join uploads up on up.id = f.id
        where a.message_id = m.id) as media,
      (select r.reaction from message_reactions r where r.message_id = m.id and r.user_id = ${user}) as reaction
    from ${conversationMembers} as mine
    join ${conversationMembers} as other on other.conversation_id = mine.conversation_id and other.user_id <> mine.user_id
    join users u on u.id = other.user_id
    join ${messages} as m on m.conversation_id = mine.conversation_id
    where mine.user_id = ${user} and (m.sender_id = ${user} or (
      m.seq > mine.cleared_seq and ${notHidden('m', user)} and ${notBlocked(user, sql.raw('other.user_id'))}))
    order by mine.conversation_id, m.seq`
})

/**
 * What the person wrote, and what they received and have not deleted, by conversation. What a blocked person wrote is left
 * out.
 */
export const ownMessages = (db: Db, userId: string): Promise<OwnMessage[]> => own(db, { user: userId })
