// Unread messages of a conversation, as a push or an email needs them.
import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import type { Db } from '#server/store/database.ts'
import { type Params, statement } from '#server/store/statement.ts'
import { conversationMembers, messages } from '#server/store/tables/messages.ts'
import { notHidden } from './message-facts.ts'

/** The unread messages of a conversation for one of its people. */
export interface UnreadConversation {
  readonly conversationId: string
  readonly recipientId: string
  readonly senderId: string
  /** Unread messages of the sender. */
  readonly count: number
  readonly pushedSeq: number
  readonly newestSeq: number
  /** Of the newest message. */
  readonly content: string
  readonly showsText: boolean
}

const unread = statement<{ id: string }, UnreadConversation>(
  { id: 'uuid' },
  (param: Params<{ id: string }>) => {
    const shows = sql.raw(String(privacyDefaults.showsMessageText))
    return sql`select mine.conversation_id as "conversationId", mine.user_id as "recipientId", m.sender_id as "senderId",
      mine.unread as count, mine.pushed_seq as "pushedSeq", newest.seq as "newestSeq", newest.content,
      coalesce(settings.shows_message_text, ${shows}) as "showsText"
    from ${messages} as m
    join ${conversationMembers} as mine on mine.conversation_id = m.conversation_id and mine.user_id <> m.sender_id
    left join user_settings settings on settings.user_id = mine.user_id
    join lateral (
      select n.seq, n.content from ${messages} as n
      where n.conversation_id = m.conversation_id and n.sender_id = m.sender_id and n.seq >= m.seq and n.unsent_at is null
        and ${notHidden('n', sql.raw('mine.user_id'))}
      order by n.seq desc limit 1) as newest on true
    where m.id = ${param('id')} and m.seq > greatest(mine.read_seq, mine.cleared_seq) and mine.unread > 0
      and mine.state in ('received', 'accepted') and not mine.muted and not mine.archived`
  },
)

/**
 * The unread messages of the conversation of a message, from this one on. Undefined once the recipient has read, muted or
 * deleted them, or the sender has unsent them.
 */
export async function findUnreadConversation(
  db: Db,
  messageId: string,
): Promise<UnreadConversation | undefined> {
  return (await unread(db, { id: messageId }))[0]
}

type Member = Pick<UnreadConversation, 'conversationId' | 'recipientId'>

const isOf = ({ conversationId, recipientId }: Member) =>
  and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, recipientId))

/** Records that a conversation is pushed up to a message. @returns false if it was so before */
export async function setPushed(tx: Db, member: Member, seq: number): Promise<boolean> {
  const changed = await tx
    .update(conversationMembers)
    .set({ pushedSeq: seq })
    .where(and(isOf(member), lt(conversationMembers.pushedSeq, seq)))
    .returning({ userId: conversationMembers.userId })
  return changed.length > 0
}

/**
 * Records that the member gets an email about a conversation.
 * @param since an email after this moment is enough, ms since 1970
 * @returns false if there was one
 */
export async function setMailed(tx: Db, member: Member, since: number, now: number): Promise<boolean> {
  const { mailedAt } = conversationMembers
  const changed = await tx
    .update(conversationMembers)
    .set({ mailedAt: new Date(now) })
    .where(and(isOf(member), or(isNull(mailedAt), lte(mailedAt, new Date(since)))))
    .returning({ userId: conversationMembers.userId })
  return changed.length > 0
}
