// Table of reports: reason, a copy of the reported content, and the decision.
import { index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    /** Null when the reporter's account is gone. */
    reporterId: uuid('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    targetKind: text('target_kind', { enum: ['post', 'comment', 'person'] }).notNull(),
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
    index('reports_target').on(table.targetKind, table.targetId),
  ],
)
