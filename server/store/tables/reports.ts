// Tables of reports: reason, copies of the reported content, and the decision.
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_MESSAGE } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    /** Null when the reporter's account is gone. */
    reporterId: uuid('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    targetKind: text('target_kind', { enum: ['post', 'comment', 'person', 'message'] }).notNull(),
    targetId: uuid('target_id').notNull(),
    /** The author of the reported content, or the reported person. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    reason: text('reason').notNull(),
    /** The reporter's text; '' without one. */
    detail: text('detail').notNull().default(''),
    /** A copy of the reported texts, which later edits do not change. */
    quoted: jsonb('quoted').$type<Readonly<Record<string, string>>>().notNull(),
    state: text('state', { enum: ['open', 'removed', 'warned', 'suspended', 'dismissed'] })
      .notNull()
      .default('open'),
    createdAt: at('created_at').notNull(),
    decidedAt: at('decided_at'),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('reports_once').on(table.reporterId, table.targetKind, table.targetId),
    index('reports_state').on(table.state, table.createdAt, table.id),
    index('reports_owner').on(table.ownerId),
    index('reports_target').on(table.targetKind, table.targetId),
  ],
)

/** Copies of a reported message and of those around it, each encrypted for its place in its report. */
export const reportedMessages = pgTable(
  'reported_messages',
  {
    reportId: uuid('report_id')
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    /** Place in the conversation. */
    seq: integer('seq').notNull(),
    senderId: uuid('sender_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Text and time of the message, encrypted. */
    sealed: text('sealed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reportId, table.seq] }),
    index('reported_messages_sender').on(table.senderId),
    // JSON may write a line break as two bytes, and base64url three bytes as four.
    sized('reported_messages_sealed_size', table.sealed, bytesFor(MAX_MESSAGE) * 3),
  ],
)
