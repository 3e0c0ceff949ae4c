// Tables of what receipts and statements said when they were issued.
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { MAX_ADDRESSEE } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { statements } from './ledger.ts'
import { payments } from './payments.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Each issue of a receipt. Rows are added and never replaced; a trigger adds those of the version before. */
export const receiptIssues = pgTable(
  'receipt_issues',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** 1 for the first issue of a payment. */
    issue: integer('issue').notNull(),
    /** Yen, tax included, and what of it had been refunded. */
    amount: integer('amount').notNull(),
    refundedAmount: integer('refunded_amount').notNull(),
    issuedAt: at('issued_at').notNull(),
    /** Addressee, seller and registration number, encrypted for this row; '' until a row of the version before is sealed. */
    sealed: text('sealed').notNull().default(''),
    /** What a server of the version before has stored; '' once it is sealed. */
    addressee: text('addressee').notNull().default(''),
  },
  (table) => [
    uniqueIndex('receipt_issues_once').on(table.paymentId, table.issue),
    index('receipt_issues_at').on(table.issuedAt, table.id),
    index('receipt_issues_unsealed')
      .on(table.id)
      .where(sql`${table.addressee} <> ''`),
    sized('receipt_issues_addressee_size', table.addressee, bytesFor(MAX_ADDRESSEE)),
    // Three names of 100 characters of 16 bytes and two numbers, as base64url.
    sized('receipt_issues_sealed_size', table.sealed, 10_000),
  ],
)

/** To whom each statement was made out. Beside it, since a statement is never changed and a master key is. */
export const statementAddressees = pgTable(
  'statement_addressees',
  {
    statementId: uuid('statement_id')
      .primaryKey()
      .references(() => statements.id),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** The name of the seller, encrypted for this statement. */
    sealed: text('sealed').notNull(),
    issuedAt: at('issued_at').notNull(),
  },
  (table) => [
    index('statement_addressees_creator').on(table.creatorId),
    index('statement_addressees_at').on(table.issuedAt, table.statementId),
    sized('statement_addressees_sealed_size', table.sealed, 4000),
  ],
)
