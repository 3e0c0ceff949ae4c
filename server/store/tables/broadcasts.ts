// Tables of broadcasts of messages and their recipients.
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { MAX_MESSAGE } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const person = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const broadcasts = pgTable(
  'broadcasts',
  {
    /** Chosen by the device, so that a repeated request changes nothing. */
    id: uuid('id').primaryKey(),
    creatorId: person('creator_id'),
    content: text('content').notNull(),
    /** A post of the creator; without a foreign key, as in messages. */
    postId: uuid('post_id'),
    /** The chosen plans, in the order of their ids. */
    planIds: uuid('plan_ids').array().notNull(),
    /** Number of the batch that is due; jobs of earlier ones do nothing. */
    batch: integer('batch').notNull().default(0),
    createdAt: at('created_at').notNull(),
    stoppedAt: at('stopped_at'),
    /** When no recipient was left to handle. */
    doneAt: at('done_at'),
  },
  (table) => [
    index('broadcasts_creator').on(table.creatorId, table.createdAt, table.id),
    index('broadcasts_unfinished')
      .on(table.createdAt)
      .where(sql`${table.stoppedAt} is null and ${table.doneAt} is null`),
    sized('broadcasts_content_size', table.content, bytesFor(MAX_MESSAGE)),
  ],
)

/** The members of the chosen plans when the broadcast was accepted. */
export const broadcastRecipients = pgTable(
  'broadcast_recipients',
  {
    broadcastId: uuid('broadcast_id')
      .notNull()
      .references(() => broadcasts.id, { onDelete: 'cascade' }),
    userId: person('user_id'),
    /** The id of the message that this person gets: a second delivery would violate its primary key. */
    messageId: uuid('message_id').notNull(),
    state: text('state', { enum: ['waiting', 'delivered', 'skipped'] })
      .notNull()
      .default('waiting'),
    /** Deliveries that have failed by an error. */
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.userId] }),
    uniqueIndex('broadcast_recipients_message').on(table.messageId),
    index('broadcast_recipients_user').on(table.userId),
    index('broadcast_recipients_waiting')
      .on(table.broadcastId, table.attempts, table.messageId)
      .where(sql`${table.state} = 'waiting'`),
  ],
)
