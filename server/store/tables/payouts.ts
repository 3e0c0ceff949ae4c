// Tables of payouts to creators and of the transfer files that were made.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { type LeftOut, MAX_PAYOUT_REASON } from '#contract/payouts/admin-payouts.ts'
import { payoutStates, taxChecks } from '#contract/payouts/payouts.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const yen = (name: string) => bigint(name, { mode: 'number' })

/** Transfer files, each handed to the bank once unless the bank refused it as a whole. */
export const payoutExports = pgTable(
  'payout_exports',
  {
    id: uuid('id').primaryKey(),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => users.id),
    /** The day of the transfers. */
    day: date('day', { mode: 'string' }).notNull(),
    count: integer('count').notNull(),
    /** Yen. */
    total: yen('total').notNull(),
    /** The bytes of the file, encrypted; '' once they are not needed any more. */
    sealed: text('sealed').notNull(),
    madeAt: at('made_at').notNull(),
    /** Approved payouts that the file does not have, by their numbers. */
    leftOut: jsonb('left_out').$type<readonly LeftOut[]>().notNull().default([]),
    /** When an admin recorded that the bank had not executed the file. */
    voidedAt: at('voided_at'),
    voidReason: text('void_reason').notNull().default(''),
  },
  (table) => [
    sized('payout_exports_sealed_size', table.sealed, 4_000_000),
    sized('payout_exports_void_reason_size', table.voidReason, bytesFor(MAX_PAYOUT_REASON)),
    check('payout_exports_voided', sql`${table.voidedAt} is null or ${table.sealed} = ''`),
  ],
)

export const payouts = pgTable(
  'payouts',
  {
    /** Chosen by the creator's device, or by the server for an automatic one. */
    id: uuid('id').primaryKey(),
    /** Names the payout in files of the bank. */
    number: integer('number').generatedAlwaysAsIdentity(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** The month of the request in Asia/Tokyo, `YYYY-MM`. */
    month: text('month').notNull(),
    isAutomatic: boolean('is_automatic').notNull(),
    state: text('state', { enum: payoutStates }).notNull(),
    /** Yen taken from the balance, and the part of it that is the fee of the transfer. */
    amount: yen('amount').notNull(),
    fee: integer('fee').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    requestedAt: at('requested_at').notNull(),
    /** The admin who approved it last. */
    approvedBy: uuid('approved_by').references(() => users.id),
    approvedAt: at('approved_at'),
    exportId: uuid('export_id').references(() => payoutExports.id),
    paidAt: at('paid_at'),
    returnedAt: at('returned_at'),
    /** Why it is held, returned or cancelled. */
    reason: text('reason').notNull().default(''),
    /** The last digits of the account in the file. */
    lastDigits: text('last_digits').notNull().default(''),
    /** Of a payout to a person abroad; null for others. */
    taxCheck: text('tax_check', { enum: taxChecks }),
    /** Income tax kept of the transfer, yen, and why. */
    withheld: integer('withheld').notNull().default(0),
    taxReason: text('tax_reason').notNull().default(''),
  },
  (table) => [
    uniqueIndex('payouts_number').on(table.number),
    uniqueIndex('payouts_month')
      .on(table.creatorId, table.month)
      .where(sql`${table.state} not in ('returned', 'cancelled')`),
    index('payouts_creator').on(table.creatorId, table.requestedAt),
    index('payouts_state').on(table.state, table.dueOn, table.number),
    index('payouts_export').on(table.exportId),
    check('payouts_amount', sql`${table.fee} >= 0 and ${table.amount} > ${table.fee}`),
    sized('payouts_reason_size', table.reason, bytesFor(MAX_PAYOUT_REASON)),
    check(
      'payouts_withheld',
      sql`${table.withheld} >= 0 and ${table.amount} > ${table.fee} + ${table.withheld}
        and (${table.withheld} = 0 or coalesce(${table.taxCheck}, '') = 'done')`,
    ),
    sized('payouts_tax_reason_size', table.taxReason, bytesFor(MAX_PAYOUT_REASON)),
  ],
)

/**
 * What the bank took for a transfer file, by its statement. The record with the highest position counts; the others stay. Append-only
 * by a trigger.
 */
export const bankFees = pgTable(
  'bank_fees',
  {
    /** Chosen by the admin's device. */
    id: uuid('id').primaryKey(),
    exportId: uuid('export_id')
      .notNull()
      .references(() => payoutExports.id),
    /** 1 for the first record of the file; each correction has the next number. */
    position: integer('position').notNull(),
    /** Yen for all transfers of the file together, tax included. */
    fee: integer('fee').notNull(),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => users.id),
    recordedAt: at('recorded_at').notNull(),
  },
  (table) => [
    uniqueIndex('bank_fees_once').on(table.exportId, table.position),
    check('bank_fees_amount', sql`${table.fee} >= 0 and ${table.position} >= 1`),
  ],
)

/** Choices of creators about their payouts; without a row they are automatic. */
export const payoutSettings = pgTable('payout_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  automatic: boolean('automatic').notNull(),
})
