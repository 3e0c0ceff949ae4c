// The table of bank accounts that payouts go to.
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { accountTypes, nameChecks } from '#contract/payouts/bank-account.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** One account of a creator. A removed one stays as an emptied row, so that the next one is a change. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    bankCode: text('bank_code').notNull(),
    branchCode: text('branch_code').notNull(),
    type: text('type', { enum: accountTypes }).notNull(),
    /** The last 3 of 7 digits of the number. */
    lastDigits: text('last_digits').notNull(),
    /** Number and holder, encrypted for this owner; '' after the removal. */
    sealed: text('sealed').notNull(),
    nameCheck: text('name_check', { enum: nameChecks }).notNull(),
    changedAt: at('changed_at').notNull(),
    /** Until when payouts are held; null for the first account. */
    heldUntil: at('held_until'),
    removedAt: at('removed_at'),
  },
  (table) => [
    sized('bank_accounts_bank_code_size', table.bankCode, 4),
    sized('bank_accounts_branch_code_size', table.branchCode, 3),
    sized('bank_accounts_last_digits_size', table.lastDigits, 3),
    // 100 kana of 3 bytes, with number, nonce and tag, as base64url.
    sized('bank_accounts_sealed_size', table.sealed, 1000),
  ],
)
