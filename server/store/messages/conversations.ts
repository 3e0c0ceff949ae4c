// Conversations: creating and locking them, and what a member changes for themselves.
import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '#server/store/database.ts'
import {
  conversationMembers,
  conversations,
  hiddenMessages,
  messages,
} from '#server/store/tables/messages.ts'
import { type MemberRow, pairOf } from './contacts.ts'

/** Creates the conversation of two people; called while their pair is locked (`lockPair`). */
export async function addConversation(
  tx: Db,
  id: string,
  sides: readonly [MemberSide, MemberSide],
  now: number,
): Promise<void> {
  const at = new Date(now)
  const [one, other] = sides
  await tx.insert(conversations).values({ id, pair: pairOf(one.userId, other.userId), createdAt: at })
  await tx
    .insert(conversationMembers)
    .values(sides.map((side) => ({ ...side, conversationId: id, lastAt: at })))
}

type MemberSide = Pick<MemberRow, 'userId' | 'state'>

export interface Numbers {
  readonly lastSeq: number
  readonly lastChange: number
}

const numbers = { lastSeq: conversations.lastSeq, lastChange: conversations.lastChange }

/** Locks a conversation until the end of the transaction, so that its changes have one order. */
export async function lockConversation(tx: Db, id: string): Promise<Numbers | undefined> {
  return (await tx.select(numbers).from(conversations).where(eq(conversations.id, id)).for('update'))[0]
}

/** Counts a change, and a message if there is a new one. The conversation is locked from then on. */
export async function countChange(
  tx: Db,
  id: string,
  change: { readonly isMessage: boolean },
): Promise<Numbers> {
  const { lastSeq, lastChange } = conversations
  const rows = await tx
    .update(conversations)
    .set({
      lastSeq: change.isMessage ? sql`${lastSeq} + 1` : lastSeq,
      lastChange: sql`${lastChange} + 1`,
    })
    .where(eq(conversations.id, id))
    .returning(numbers)
  const [row] = rows
  if (!row) throw new Error('a conversation was removed while it was changed')
  return row
}

/** For a where clause: the row of one member. */
const memberIs = (conversationId: string, userId: string) =>
  and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, userId))

/** Changes the row of one member. */
export async function setMember(
  tx: Db,
  conversationId: string,
  userId: string,
  change: PgUpdateSetSource<typeof conversationMembers>,
): Promise<void> {
  await tx.update(conversationMembers).set(change).where(memberIs(conversationId, userId))
}

/** A message has arrived for a member. A muted conversation stays in the archive. */
export async function addUnread(
  tx: Db,
  conversationId: string,
  userId: string,
  state: MemberRow['state'],
  now: number,
): Promise<void> {
  const { unread, archived, muted } = conversationMembers
  await tx
    .update(conversationMembers)
    .set({
      state,
      unread: sql`${unread} + 1`,
      archived: sql`${archived} and ${muted}`,
      lastAt: new Date(now),
    })
    .where(memberIs(conversationId, userId))
}

/** The number of messages that the member of a row has not read. */
const unreadOf = sql`(select count(*) from ${messages} where ${messages.conversationId} = ${conversationMembers.conversationId}
  and ${messages.seq} > greatest(${conversationMembers.readSeq}, ${conversationMembers.clearedSeq})
  and ${messages.senderId} <> ${conversationMembers.userId} and ${messages.unsentAt} is null)`

/** Messages that a member has not read; called after their positions have changed. */
export async function recountUnread(tx: Db, conversationId: string, userId: string): Promise<void> {
  await tx.update(conversationMembers).set({ unread: unreadOf }).where(memberIs(conversationId, userId))
}

/** The same for all members of these conversations who have unread messages. */
export async function recountAllUnread(tx: Db, conversationIds: readonly string[]): Promise<void> {
  if (conversationIds.length === 0) return
  await tx
    .update(conversationMembers)
    .set({ unread: unreadOf })
    .where(
      and(
        inArray(conversationMembers.conversationId, [...conversationIds]),
        gt(conversationMembers.unread, 0),
      ),
    )
}

/**
 * Moves the positions of a member forward, never back.
 * @returns whether one has moved
 */
export async function moveForward(
  tx: Db,
  conversationId: string,
  userId: string,
  to: { readonly readSeq: number; readonly deliveredSeq: number },
): Promise<boolean> {
  const { readSeq, deliveredSeq } = conversationMembers
  const rows = await tx
    .update(conversationMembers)
    .set({
      readSeq: sql`greatest(${readSeq}, ${to.readSeq})`,
      deliveredSeq: sql`greatest(${deliveredSeq}, ${to.deliveredSeq})`,
    })
    .where(
      and(
        memberIs(conversationId, userId),
        sql`(${readSeq} < ${to.readSeq} or ${deliveredSeq} < ${to.deliveredSeq})`,
      ),
    )
    .returning({ userId: conversationMembers.userId })
  return rows.length > 0
}

/** Deletes all messages of a conversation for one member. */
export async function clearFor(
  tx: Db,
  conversationId: string,
  userId: string,
  seq: number,
  now: number,
): Promise<void> {
  const { conversationId: of, userId: by } = hiddenMessages
  const { clearedSeq, clearedAt } = conversationMembers
  await tx.delete(hiddenMessages).where(and(eq(of, conversationId), eq(by, userId)))
  await setMember(tx, conversationId, userId, {
    clearedSeq: seq,
    clearedAt: sql`case when ${clearedSeq} < ${seq} then ${new Date(now).toISOString()}::timestamptz else ${clearedAt} end`,
    unread: 0,
    pinnedAt: null,
  })
}

export function countPinned(db: Db, userId: string): Promise<number> {
  const { userId: of, pinnedAt } = conversationMembers
  return db.$count(conversationMembers, and(eq(of, userId), isNotNull(pinnedAt)))
}
