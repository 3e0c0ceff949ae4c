// Erases what messages have about a deleted person; their texts stay for the others.
import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '#server/store/database.ts'
import {
  conversationMembers,
  conversations,
  hiddenMessages,
  messageMedia,
  messageReactions,
  messages,
} from '#server/store/tables/messages.ts'
import { messageColumns } from '#server/store/personal/content.ts'
import { erasedRow } from '#server/store/personal/duties.ts'
import { messageSearch } from '#server/store/tables/search.ts'
import { uploads } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'
import { recountAllUnread } from './conversations.ts'

/**
 * Removes a person's reactions, hidden messages, search index, choices, and the media of their messages. A conversation is removed when
 * its other person is deleted too, or has not accepted the person's request.
 */
export async function eraseMessages(tx: Db, userId: string, now: number): Promise<void> {
  await tx.delete(messageReactions).where(eq(messageReactions.userId, userId))
  await tx.delete(hiddenMessages).where(eq(hiddenMessages.userId, userId))
  await tx.delete(messageSearch).where(eq(messageSearch.userId, userId))
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
  await eraseParts(tx, userId, now)
}

/**
 * Takes media and posts from all messages of a person. A message without a text becomes an unsent one. Each counts as a change,
 * so that the devices of the others read it again.
 */
async function eraseParts(tx: Db, userId: string, now: number): Promise<void> {
  const { postId, unsentAt } = erasedRow(messageColumns, { id: userId, at: new Date(now) })
  const result = await tx.execute(sql`
    with own as (
      select m.id, m.conversation_id, row_number() over (partition by m.conversation_id order by m.seq) as n
      from ${messages} as m
      where m.sender_id = ${userId}
        and (m.post_id is not null or exists (select 1 from ${messageMedia} as a where a.message_id = m.id))),
    counted as (
      update ${conversations} as c set last_change = c.last_change + o.count
      from (select conversation_id, count(*) from own group by conversation_id) as o
      where c.id = o.conversation_id
      returning c.id, c.last_change - o.count as before)
    update ${messages} as m set change = counted.before + own.n, post_id = ${postId},
      unsent_at = ${unsentAt}
    from own join counted on counted.id = own.conversation_id
    where m.id = own.id
    returning m.conversation_id as id`)
  const { rows } = result as { rows: { id: string }[] }
  await recountAllUnread(tx, [...new Set(rows.map((row) => row.id))])
  const own = tx.select({ id: uploads.id }).from(uploads).where(eq(uploads.ownerId, userId))
  await tx.delete(messageMedia).where(inArray(messageMedia.mediaId, own))
}
