// Messages: adding, finding, unsending and hiding them, and reactions.
import { and, eq, sql } from 'drizzle-orm'
import type { Reaction } from '#contract/messages/messages.ts'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import {
  conversationMembers,
  hiddenMessages,
  messageReactions,
  messages,
} from '#server/store/tables/messages.ts'
import { statement } from '#server/store/statement.ts'

export type MessageRow = typeof messages.$inferSelect

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  return (await db.select().from(messages).where(eq(messages.id, id)))[0]
}

export async function addMessage(tx: Db, row: Omit<MessageRow, 'unsentAt'>): Promise<void> {
  await tx.insert(messages).values(row)
}

/** Whether a message belongs to a conversation. */
export async function isMessageOf(db: Db, id: string, conversationId: string): Promise<boolean> {
  return (await findMessage(db, id))?.conversationId === conversationId
}

/** Where a message that a person can see is, and with whom. */
export interface MessagePlace {
  readonly conversationId: string
  readonly otherId: string
}

const places = statement<{ id: string; viewer: string }, MessagePlace>(
  { id: 'uuid', viewer: 'uuid' },
  (param) => sql`select m.conversation_id as "conversationId", other.user_id as "otherId"
    from ${messages} as m
    join ${conversationMembers} as mine on mine.conversation_id = m.conversation_id and mine.user_id = ${param('viewer')}
    join ${conversationMembers} as other on other.conversation_id = m.conversation_id and other.user_id <> mine.user_id
    where m.id = ${param('id')} and m.seq > mine.cleared_seq and ${notBlocked(param('viewer'), sql.raw('other.user_id'))}`,
)

/** @returns undefined for a message that the person does not see, except one that they have hidden */
export async function placeOf(db: Db, id: string, viewerId: string): Promise<MessagePlace | undefined> {
  return (await places(db, { id, viewer: viewerId }))[0]
}

/** Removes the text, the post and the reactions of a message for both people. */
export async function setUnsent(tx: Db, id: string, change: number, now: number): Promise<void> {
  await tx
    .update(messages)
    .set({ content: '', postId: null, change, unsentAt: new Date(now) })
    .where(eq(messages.id, id))
  await tx.delete(messageReactions).where(eq(messageReactions.messageId, id))
}

/** A message is no longer counted as unread by its recipient, if it was. */
export async function subtractUnread(
  tx: Db,
  { conversationId, seq }: Pick<MessageRow, 'conversationId' | 'seq'>,
  recipientId: string,
): Promise<void> {
  const { unread, readSeq, clearedSeq, conversationId: of, userId } = conversationMembers
  await tx
    .update(conversationMembers)
    .set({ unread: sql`${unread} - 1` })
    .where(
      and(
        eq(of, conversationId),
        eq(userId, recipientId),
        sql`${unread} > 0 and ${seq} > greatest(${readSeq}, ${clearedSeq})`,
      ),
    )
}

/**
 * Hides a message from one person, while the conversation is locked. It counts in their own row alone, since a change number
 * would show the other person that something was done.
 */
export async function hideFrom(
  tx: Db,
  row: Omit<typeof hiddenMessages.$inferSelect, 'number'>,
): Promise<void> {
  const { conversationId, userId, deletions } = conversationMembers
  const own = and(eq(conversationId, row.conversationId), eq(userId, row.userId))
  const [member] = await tx
    .update(conversationMembers)
    .set({ deletions: sql`${deletions} + 1` })
    .where(own)
    .returning({ number: deletions })
  if (member) await tx.insert(hiddenMessages).values({ ...row, ...member })
}

export async function isHidden(db: Db, messageId: string, userId: string): Promise<boolean> {
  const own = and(eq(hiddenMessages.messageId, messageId), eq(hiddenMessages.userId, userId))
  return (await db.$count(hiddenMessages, own)) > 0
}

async function findReaction(db: Db, messageId: string, userId: string): Promise<string | undefined> {
  const own = and(eq(messageReactions.messageId, messageId), eq(messageReactions.userId, userId))
  const rows = await db.select({ reaction: messageReactions.reaction }).from(messageReactions).where(own)
  return rows[0]?.reaction
}

/** Sets or removes a person's reaction. @returns false if it was so before */
export async function setReaction(
  tx: Db,
  messageId: string,
  userId: string,
  reaction: Reaction | undefined,
): Promise<boolean> {
  if ((await findReaction(tx, messageId, userId)) === reaction) return false
  const own = and(eq(messageReactions.messageId, messageId), eq(messageReactions.userId, userId))
  await tx.delete(messageReactions).where(own)
  if (reaction !== undefined) await tx.insert(messageReactions).values({ messageId, userId, reaction })
  return true
}

/** Records that a conversation's change was one of this message. */
export async function setChange(tx: Db, id: string, change: number): Promise<void> {
  await tx.update(messages).set({ change }).where(eq(messages.id, id))
}
