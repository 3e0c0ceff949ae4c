// Tables of conversations, their members, messages, reactions and hidden messages.
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_MESSAGE } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { media } from './media.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const conversations = pgTable(
  'conversations',
  {
    id: uuid('id').primaryKey(),
    /** The ids of its two people, the lower one first, with `:` between them; null for a group. */
    pair: text('pair'),
    /** Sequence number of the newest message. */
    lastSeq: integer('last_seq').notNull().default(0),
    /** Number of the newest change that both may notice. */
    lastChange: integer('last_change').notNull().default(0),
    createdAt: at('created_at').notNull(),
  },
  (table) => [uniqueIndex('conversations_pair').on(table.pair)],
)

const conversation = () =>
  uuid('conversation_id')
    .notNull()
    .references(() => conversations.id, { onDelete: 'cascade' })

export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: conversation(),
    userId: person('user_id'),
    /**
     * The answer to what the other one wrote. `received`: none yet, and none was needed. `requested`: none yet, to a
     * message request. `accepted`: wrote, or accepted the request.
     */
    state: text('state', { enum: ['received', 'requested', 'accepted', 'declined'] }).notNull(),
    /** Read up to this message. */
    readSeq: integer('read_seq').notNull().default(0),
    /** Arrived on a device up to this message. */
    deliveredSeq: integer('delivered_seq').notNull().default(0),
    /** Deleted for this member alone up to this message. */
    clearedSeq: integer('cleared_seq').notNull().default(0),
    /** Pushed to this member's devices up to this message. */
    pushedSeq: integer('pushed_seq').notNull().default(0),
    /** When an email about this conversation was last enqueued for the member. */
    mailedAt: at('mailed_at'),
    /** When this member last deleted all messages for themselves. */
    clearedAt: at('cleared_at'),
    /** Messages of the other one after `read_seq` and `cleared_seq` that are not unsent. */
    unread: integer('unread').notNull().default(0),
    /** Messages that this member has deleted for themselves alone. */
    deletions: integer('deletions').notNull().default(0),
    pinnedAt: at('pinned_at'),
    muted: boolean('muted').notNull().default(false),
    archived: boolean('archived').notNull().default(false),
    /** When the newest message was accepted; lists are ordered by it. */
    lastAt: at('last_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index('conversation_members_list')
      .on(table.userId, table.archived, table.lastAt, table.conversationId)
      .where(sql`${table.state} in ('received', 'accepted')`),
    index('conversation_members_requests')
      .on(table.userId, table.lastAt, table.conversationId)
      .where(sql`${table.state} = 'requested'`),
    index('conversation_members_pinned')
      .on(table.userId)
      .where(sql`${table.pinnedAt} is not null`),
    index('conversation_members_unread')
      .on(table.userId)
      .where(sql`${table.unread} > 0`),
  ],
)

export const messages = pgTable(
  'messages',
  {
    /** Chosen by the device, so that a repeated request changes nothing. */
    id: uuid('id').primaryKey(),
    conversationId: conversation(),
    /** 1, 2, 3 … in the order in which the server accepted the messages, without gaps. */
    seq: integer('seq').notNull(),
    /** Number of the conversation's change that changed this message last. */
    change: integer('change').notNull(),
    senderId: person('sender_id'),
    /** '' for an unsent message. */
    content: text('content').notNull(),
    replyToId: uuid('reply_to_id').references((): AnyPgColumn => messages.id, { onDelete: 'set null' }),
    /** A post of the sender; without a foreign key, since the message keeps its card after the post is erased. */
    postId: uuid('post_id'),
    sentAt: at('sent_at').notNull(),
    unsentAt: at('unsent_at'),
  },
  (table) => [
    uniqueIndex('messages_seq').on(table.conversationId, table.seq),
    index('messages_change').on(table.conversationId, table.change),
    index('messages_sender').on(table.senderId, table.sentAt),
    index('messages_reply_to').on(table.replyToId),
    // Messages are stored in about the order of their times, so that a few summaries find the old ones.
    index('messages_sent').using('brin', table.sentAt),
    sized('messages_content_size', table.content, bytesFor(MAX_MESSAGE)),
  ],
)

const message = () =>
  uuid('message_id')
    .notNull()
    .references(() => messages.id, { onDelete: 'cascade' })

export const messageReactions = pgTable(
  'message_reactions',
  {
    messageId: message(),
    userId: person('user_id'),
    /** One of `reactions` of contract/messages/messages.ts. */
    reaction: text('reaction').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.userId] }),
    index('message_reactions_user').on(table.userId),
  ],
)

/** Images and videos of messages, in the sender's order. An unsent message has none. */
export const messageMedia = pgTable(
  'message_media',
  {
    messageId: message(),
    /** A media belongs to one message at most. */
    mediaId: uuid('media_id')
      .primaryKey()
      .references(() => media.id),
    position: integer('position').notNull(),
  },
  (table) => [uniqueIndex('message_media_position').on(table.messageId, table.position)],
)

/** Messages that a person has deleted for themselves alone. */
export const hiddenMessages = pgTable(
  'hidden_messages',
  {
    messageId: message(),
    userId: person('user_id'),
    conversationId: conversation(),
    /** 1, 2, 3 … in the order of the person's deletions in the conversation, for their other devices. */
    number: integer('number').notNull(),
    hiddenAt: at('hidden_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.userId] }),
    index('hidden_messages_number').on(table.conversationId, table.userId, table.number),
    index('hidden_messages_user').on(table.userId),
  ],
)

/** Texts that were sent to people who had not answered, as keyed hashes alone, each for a day. */
export const equalMessages = pgTable(
  'equal_messages',
  {
    /** Keyed hash of sender and folded text. */
    content: text('content').notNull(),
    /** Keyed hash of sender, folded text and recipient: it counts recipients and identifies none. */
    recipient: text('recipient').notNull(),
    sentAt: at('sent_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.content, table.recipient] }),
    index('equal_messages_sent').on(table.sentAt),
  ],
)
