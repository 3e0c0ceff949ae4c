// Images and videos of messages: attaching, detaching, and facts of who may read them.
import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import { isPresent } from '#server/store/people/people.ts'
import { statement } from '#server/store/statement.ts'
import { conversationMembers, messageMedia, messages } from '#server/store/tables/messages.ts'
import type { MemberRow } from './contacts.ts'
import { notHidden } from './message-facts.ts'

/** @param mediaIds held media, in the sender's order */
export async function attachToMessage(tx: Db, messageId: string, mediaIds: readonly string[]): Promise<void> {
  if (mediaIds.length === 0) return
  await tx
    .insert(messageMedia)
    .values(mediaIds.map((mediaId, position) => ({ messageId, mediaId, position })))
}

/** Ids of a message's media, in the sender's order. */
export async function mediaIdsOf(db: Db, messageId: string): Promise<string[]> {
  const rows = await db
    .select({ id: messageMedia.mediaId })
    .from(messageMedia)
    .where(eq(messageMedia.messageId, messageId))
    .orderBy(asc(messageMedia.position))
  return rows.map((row) => row.id)
}

/** Takes the media from a message, after which no viewer can read their files. @returns their ids */
export async function detachFromMessage(tx: Db, messageId: string): Promise<string[]> {
  const rows = await tx
    .delete(messageMedia)
    .where(eq(messageMedia.messageId, messageId))
    .returning({ id: messageMedia.mediaId })
  return rows.map((row) => row.id)
}

/** Messages of one sender in a conversation that have media or a post, in their order. */
export async function messagesWithParts(tx: Db, conversationId: string, senderId: string): Promise<string[]> {
  const result = await tx.execute(sql`select m.id from ${messages} as m
    where m.conversation_id = ${conversationId} and m.sender_id = ${senderId}
      and (m.post_id is not null or exists (select 1 from ${messageMedia} as a where a.message_id = m.id))
    order by m.seq`)
  return (result as { rows: { id: string }[] }).rows.map((row) => row.id)
}

/** A media of a message, seen by one of the two people. Fields as in server/rules/messages/media-access.ts. */
export interface MediaReading {
  readonly isSender: boolean
  readonly state: MemberRow['state']
  readonly isPresent: boolean
  readonly isBlocked: boolean
  readonly isUnsent: boolean
  readonly isHidden: boolean
}

const readings = statement<{ media: string; viewer: string }, MediaReading>(
  { media: 'uuid', viewer: 'uuid' },
  (param) => {
    const viewer = param('viewer')
    return sql`select m.sender_id = ${viewer} as "isSender", mine.state, ${isPresent(viewer)} as "isPresent",
      not ${notBlocked(viewer, sql.raw('other.user_id'))} as "isBlocked", m.unsent_at is not null as "isUnsent",
      m.seq <= mine.cleared_seq or not ${notHidden('m', viewer)} as "isHidden"
    from ${messageMedia} as a
    join ${messages} as m on m.id = a.message_id
    join ${conversationMembers} as mine on mine.conversation_id = m.conversation_id and mine.user_id = ${viewer}
    join ${conversationMembers} as other on other.conversation_id = m.conversation_id and other.user_id <> mine.user_id
    where a.media_id = ${param('media')}`
  },
)

/** @returns undefined unless the viewer is one of the two people of the conversation */
export async function mediaReadingOf(
  db: Db,
  mediaId: string,
  viewerId: string,
): Promise<MediaReading | undefined> {
  return (await readings(db, { media: mediaId, viewer: viewerId }))[0]
}

/** The message of a media, and whether its recipient gets live messages of it. */
export interface MediaPlace {
  readonly messageId: string
  readonly conversationId: string
  readonly senderId: string
  readonly recipientId: string
  readonly isDelivered: boolean
}

const places = statement<{ media: string }, MediaPlace>(
  { media: 'uuid' },
  (param) => sql`select m.id as "messageId", m.conversation_id as "conversationId", m.sender_id as "senderId",
      other.user_id as "recipientId",
      other.state <> 'declined' and ${notBlocked(sql.raw('m.sender_id'), sql.raw('other.user_id'))} as "isDelivered"
    from ${messageMedia} as a
    join ${messages} as m on m.id = a.message_id
    join ${conversationMembers} as other on other.conversation_id = m.conversation_id and other.user_id <> m.sender_id
    where a.media_id = ${param('media')}`,
)

/** @returns undefined for a media that belongs to no message, or whose message is unsent */
export async function placeOfMedia(db: Db, mediaId: string): Promise<MediaPlace | undefined> {
  return (await places(db, { media: mediaId }))[0]
}
