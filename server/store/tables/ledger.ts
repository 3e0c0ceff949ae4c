// Tables of the double-entry ledger, append-only by triggers of their migration.
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { charges } from './payments.ts'
import { users } from './people.ts'

/** An event of money. Its lines add up to zero, which a trigger checks at the commit. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid('id').primaryKey(),
    at: timestamp('at', { withTimezone: true, precision: 3, mode: 'date' }).notNull(),
    cause: text('cause', { enum: ['sale', 'refund', 'surplus', 'refund_paid'] }).notNull(),
    chargeId: uuid('charge_id')
      .notNull()
      .references(() => charges.id),
  },
  (table) => [uniqueIndex('ledger_entries_once').on(table.cause, table.chargeId)],
)

export const ledgerLines = pgTable(
  'ledger_lines',
  {
    id: uuid('id').primaryKey(),
    entryId: uuid('entry_id')
      .notNull()
      .references(() => ledgerEntries.id),
    account: text('account').notNull(),
    /** Whose account it is; null for accounts of the platform. */
    creatorId: uuid('creator_id').references(() => users.id),
    /** Yen; positive for a debit. */
    amount: integer('amount').notNull(),
  },
  (table) => [
    index('ledger_lines_entry').on(table.entryId),
    index('ledger_lines_account').on(table.account, table.creatorId),
    check('ledger_lines_amount', sql`${table.amount} <> 0`),
  ],
)
