// Tables of the double-entry ledger, append-only by triggers of their migration.
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { balanceClearings, complimentary, disputes, refunds, settlements } from './adjustments.ts'
import { charges } from './payments.ts'
import { bankFees, payouts } from './payouts.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const yen = (name: string) => bigint(name, { mode: 'number' })
const causes = [
  'sale',
  'refund',
  'surplus',
  'refund_paid',
  'payout',
  'payout_cancelled',
  'payout_paid',
  'payout_returned',
  'payout_withheld',
  'dispute',
  'dispute_won',
  'dispute_covered',
  'dispute_fee',
  'complimentary',
  'settlement',
  'settlement_reversed',
  'fee_tax_rounding',
  'balance_cleared',
  'bank_fee',
  'transfer_fee_tax',
] as const

/** An event of money. Its lines add up to zero, which a trigger checks at the commit. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid('id').primaryKey(),
    /** When it was booked; never in a day that is closed. */
    at: at('at').notNull(),
    cause: text('cause', { enum: causes }).notNull(),
    /** Whose sales or payouts it changes; null when it is between the platform and a buyer or the provider. */
    creatorId: uuid('creator_id').references(() => users.id),
    /** An entry is about a charge, a payout, a complimentary membership, a settlement, a statement, a clearing or a bank fee. */
    chargeId: uuid('charge_id').references(() => charges.id),
    payoutId: uuid('payout_id').references(() => payouts.id),
    complimentaryId: uuid('complimentary_id').references(() => complimentary.id),
    settlementId: uuid('settlement_id').references(() => settlements.id),
    statementId: uuid('statement_id').references((): AnyPgColumn => statements.id),
    clearingId: uuid('clearing_id').references(() => balanceClearings.id),
    bankFeeId: uuid('bank_fee_id').references(() => bankFees.id),
    /** Of its charge: the refund or the dispute that it is about; null for the charge itself. */
    refundId: uuid('refund_id').references(() => refunds.id),
    disputeId: uuid('dispute_id').references(() => disputes.id),
  },
  (table) => [
    uniqueIndex('ledger_entries_once')
      .on(table.cause, table.chargeId)
      .where(sql`${table.refundId} is null and ${table.disputeId} is null`),
    uniqueIndex('ledger_entries_payout_once').on(table.cause, table.payoutId),
    uniqueIndex('ledger_entries_complimentary_once').on(table.cause, table.complimentaryId),
    uniqueIndex('ledger_entries_settlement_once').on(table.cause, table.settlementId),
    uniqueIndex('ledger_entries_statement_once').on(table.cause, table.statementId),
    uniqueIndex('ledger_entries_clearing_once').on(table.cause, table.clearingId),
    uniqueIndex('ledger_entries_bank_fee_once').on(table.cause, table.bankFeeId),
    uniqueIndex('ledger_entries_refund_once').on(table.cause, table.refundId),
    uniqueIndex('ledger_entries_dispute_once').on(table.cause, table.disputeId),
    // All entries of a charge, also those of its refunds.
    index('ledger_entries_charge').on(table.chargeId),
    check(
      'ledger_entries_of',
      sql`num_nonnulls(${table.chargeId}, ${table.payoutId}, ${table.complimentaryId}, ${table.settlementId}, ${table.statementId}, ${table.clearingId}, ${table.bankFeeId}) = 1
        and num_nonnulls(${table.refundId}, ${table.disputeId}) <= num_nonnulls(${table.chargeId})`,
    ),
    index('ledger_entries_creator').on(table.creatorId, table.at, table.id),
    index('ledger_entries_at').on(table.at),
  ],
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

/** Days in Asia/Tokyo whose sums are stored; no entry is added to them any more. */
export const ledgerClosedDays = pgTable('ledger_closed_days', {
  day: date('day', { mode: 'string' }).primaryKey(),
  closedAt: at('closed_at').notNull(),
})

/** Sums of the entries of one creator and closed day, by cause and what was sold. Append-only. */
export const ledgerDays = pgTable(
  'ledger_days',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    day: date('day', { mode: 'string' })
      .notNull()
      .references(() => ledgerClosedDays.day),
    cause: text('cause', { enum: causes }).notNull(),
    /** Null for an entry that is not about a sale. */
    kind: text('kind', { enum: ['post', 'plan'] }),
    /** The post or plan at that time; null when it was erased. */
    itemId: uuid('item_id'),
    /** Entries. */
    count: integer('count').notNull(),
    /** Yen, negative for what was taken back: price, fee of the platform, tax on it, and the creator's share. */
    gross: yen('gross').notNull(),
    fee: yen('fee').notNull(),
    feeTax: yen('fee_tax').notNull(),
    net: yen('net').notNull(),
  },
  (table) => [
    unique('ledger_days_once')
      .on(table.creatorId, table.day, table.cause, table.kind, table.itemId)
      .nullsNotDistinct(),
  ],
)

/** What a creator sold and was paid in a month, as it was closed. Append-only, retained for seven years. */
export const statements = pgTable(
  'statements',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** `YYYY-MM` in Asia/Tokyo. */
    month: text('month').notNull(),
    /** `S-202611-000001`. */
    number: text('number').notNull(),
    /** Balance of the creator before and after the month, yen. */
    opening: yen('opening').notNull(),
    closing: yen('closing').notNull(),
    /** Sales of plans and posts, and what was returned to buyers, yen with tax, none of them negative. */
    plans: yen('plans').notNull(),
    posts: yen('posts').notNull(),
    refunds: yen('refunds').notNull(),
    /** Fee of the platform without tax, and its tax, after refunds, yen. */
    fee: yen('fee').notNull(),
    feeTax: yen('fee_tax').notNull(),
    /** The creator's share of the month, yen. */
    net: yen('net').notNull(),
    /** Paid out in the month with its fees, yen. */
    paidOut: yen('paid_out').notNull(),
    /** Fees of transfers that the creator bore in the month, with tax, and their part of the tax of the invoice; null before they were on it. */
    transferFee: yen('transfer_fee'),
    transferFeeTax: yen('transfer_fee_tax'),
    /** Name and registration number of the operator at that time; '' without one. */
    issuer: text('issuer').notNull(),
    issuerNumber: text('issuer_number').notNull(),
    issuedAt: at('issued_at').notNull(),
  },
  (table) => [
    uniqueIndex('statements_month').on(table.creatorId, table.month),
    uniqueIndex('statements_number').on(table.number),
    check(
      'statements_transfer_fee',
      sql`num_nonnulls(${table.transferFee}, ${table.transferFeeTax}) in (0, 2)`,
    ),
    check('statements_balanced', sql`${table.opening} + ${table.net} - ${table.paidOut} = ${table.closing}`),
    check(
      'statements_shares',
      sql`${table.plans} + ${table.posts} - ${table.refunds} = ${table.net} + ${table.fee} + ${table.feeTax}`,
    ),
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
