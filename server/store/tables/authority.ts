// Table of exports for an authority.
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const authorityExports = pgTable(
  'authority_exports',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The admin who requested it; no other person can download it. */
    madeBy: uuid('made_by')
      .notNull()
      .references(() => users.id),
    /** As the authority wrote it. */
    caseNumber: text('case_number').notNull(),
    /** The first moment, and the one after the last. */
    from: at('from_at').notNull(),
    to: at('to_at').notNull(),
    state: text('state', { enum: ['waiting', 'ready', 'failed', 'expired'] }).notNull(),
    /** The zip, encrypted for this export; '' before and after. */
    sealed: text('sealed').notNull().default(''),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at'),
  },
  (table) => [
    index('authority_exports_user').on(table.userId, table.madeBy, table.createdAt),
    index('authority_exports_made_by').on(table.madeBy),
    index('authority_exports_expiry').on(table.expiresAt),
    sized('authority_exports_case_size', table.caseNumber, 400),
    sized('authority_exports_sealed_size', table.sealed, 200_000_000),
  ],
)
