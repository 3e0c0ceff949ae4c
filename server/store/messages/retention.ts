// Removes messages that are older than the operator stores them.
import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { messageMedia, messages } from '#server/store/tables/messages.ts'
import { recountAllUnread } from './conversations.ts'

/** Conversations of one page. */
const PAGE = 200

/** Ids of some conversations with messages sent before a moment. */
export async function conversationsWithOld(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: messages.conversationId })
    .from(messages)
    .where(lt(messages.sentAt, before))
    .limit(PAGE)
  return rows.map((row) => row.id)
}

/**
 * Removes the messages of a conversation that were sent before a moment, while the conversation is locked. Their numbers
 * are not given again.
 * @returns ids of their media
 */
export async function removeOldMessages(tx: Db, conversationId: string, before: Date): Promise<string[]> {
  const old = and(eq(messages.conversationId, conversationId), lt(messages.sentAt, before))
  const ids = tx.select({ id: messages.id }).from(messages).where(old)
  const media = await tx
    .delete(messageMedia)
    .where(inArray(messageMedia.messageId, ids))
    .returning({ id: messageMedia.mediaId })
  await tx.delete(messages).where(old)
  await recountAllUnread(tx, [conversationId])
  return media.map((row) => row.id)
}
