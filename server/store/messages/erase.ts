// Erases what messages have about a deleted person; what they wrote stays for the others.
import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/store/database.ts'
import {
  conversationMembers,
  conversations,
  hiddenMessages,
  messageReactions,
} from '#server/store/tables/messages.ts'
import { users } from '#server/store/tables/people.ts'

/**
 * Removes a person's reactions, hidden messages and choices. A conversation is removed when its other person is deleted
 * too, or has not accepted the person's request.
 */
export async function eraseMessages(tx: Db, userId: string): Promise<void> {
  await tx.delete(messageReactions).where(eq(messageReactions.userId, userId))
  await tx.delete(hiddenMessages).where(eq(hiddenMessages.userId, userId))
  const other = alias(conversationMembers, 'other')
  const own = tx
    .select({ id: conversationMembers.conversationId })
    .from(conversationMembers)
    .innerJoin(
      other,
      and(eq(other.conversationId, conversationMembers.conversationId), sql`${other.userId} <> ${userId}`),
    )
    .innerJoin(users, eq(users.id, other.userId))
    .where(
      and(
        eq(conversationMembers.userId, userId),
        or(isNotNull(users.deletedAt), inArray(other.state, ['requested', 'declined'])),
      ),
    )
  await tx.delete(conversations).where(inArray(conversations.id, own))
  await tx
    .update(conversationMembers)
    .set({ unread: 0, pinnedAt: null, muted: false, archived: false })
    .where(eq(conversationMembers.userId, userId))
}
