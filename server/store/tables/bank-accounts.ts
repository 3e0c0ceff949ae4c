// Tables of bank accounts that payouts go to, and of deleted payees.
import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { accountTypes, nameChecks } from '#contract/payouts/bank-account.ts'
import { residences } from '#contract/payouts/residence.ts'
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
    /** Where the owner lives for tax, as they declared it, and when; null until they do. */
    residence: text('residence', { enum: residences }),
    residenceAt: at('residence_at'),
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

/**
 * People whose account was deleted while a balance or a payout was open: what a payout to them needs, until both are settled. While
 * it is here, a trigger keeps the bank account.
 */
export const departedPayees = pgTable(
  'departed_payees',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Email address, legal name and its reading, and the name as a seller, encrypted for this person; '' if they were erased before. */
    sealed: text('sealed').notNull(),
    /** Whether the account was suspended when it was deleted: nothing is then paid by itself. */
    isSuspended: boolean('is_suspended').notNull(),
    /** When an admin had a payout requested all the same, or again. */
    releasedAt: at('released_at'),
    departedAt: at('departed_at').notNull(),
  },
  (table) => [
    // An address of 320 characters and three names of 100, as base64url.
    sized('departed_payees_sealed_size', table.sealed, 8000),
  ],
)
