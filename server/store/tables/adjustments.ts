// Tables of refunds, disputes, fee rates, complimentary memberships, settlements and clearings.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  disputeStates,
  MAX_ADJUSTMENT_REASON,
  MAX_SETTLEMENT_REFERENCE,
} from '#contract/adjustments/limits.ts'
import { clearingKinds } from '#contract/payouts/balance-names.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { charges, payments } from './payments.ts'
import { users } from './people.ts'
import { plans } from './plans.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const REASON_BYTES = bytesFor(MAX_ADJUSTMENT_REASON)
/** The admin; null for a refund by a rule. */
const actor = () => uuid('actor_id').references(() => users.id)

/** Refunds of a payment, in part or of all that was left. */
export const refunds = pgTable(
  'refunds',
  {
    /** Chosen by the admin's device, or by the server for a refund by a rule. */
    id: uuid('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    /** The charge that paid. */
    chargeId: uuid('charge_id')
      .notNull()
      .references(() => charges.id),
    /** Yen. */
    amount: integer('amount').notNull(),
    /** Of the admin; '' for a refund by a rule. */
    reason: text('reason').notNull(),
    actorId: actor(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('refunds_payment').on(table.paymentId),
    index('refunds_charge').on(table.chargeId),
    check('refunds_amount', sql`${table.amount} > 0`),
    sized('refunds_reason_size', table.reason, REASON_BYTES),
  ],
)

/** Charges that the card company examines or has examined. */
export const disputes = pgTable(
  'disputes',
  {
    id: uuid('id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    chargeId: uuid('charge_id')
      .notNull()
      .references(() => charges.id),
    state: text('state', { enum: disputeStates }).notNull(),
    /** Yen that the card company took: what earlier refunds had left. */
    amount: integer('amount').notNull(),
    /** Yen that the provider charges the platform for it. */
    fee: integer('fee').notNull(),
    reason: text('reason').notNull(),
    openedAt: at('opened_at').notNull(),
    decidedAt: at('decided_at'),
  },
  (table) => [
    // A charge that was won may be disputed again.
    uniqueIndex('disputes_open')
      .on(table.paymentId)
      .where(sql`${table.state} = 'open'`),
    index('disputes_payment').on(table.paymentId),
    check('disputes_amount', sql`${table.amount} > 0 and ${table.fee} >= 0`),
    sized('disputes_reason_size', table.reason, REASON_BYTES),
  ],
)

/** Fee rates of single creators; of the rates that have begun, the last one counts. Rows are only added. */
export const feeRates = pgTable(
  'fee_rates',
  {
    id: uuid('id').primaryKey(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first day in Asia/Tokyo. */
    firstDay: date('first_day', { mode: 'string' }).notNull(),
    /** Basis points of the price, with tax. */
    rate: integer('rate').notNull(),
    reason: text('reason').notNull(),
    actorId: actor(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('fee_rates_creator').on(table.creatorId, table.firstDay, table.createdAt),
    check('fee_rates_rate', sql`${table.rate} between 0 and 10000`),
    sized('fee_rates_reason_size', table.reason, REASON_BYTES),
  ],
)

/** Memberships that cost their member nothing, given by an admin. */
export const complimentary = pgTable(
  'complimentary_memberships',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** Null when the plan was erased with its creator's account. */
    planId: uuid('plan_id').references(() => plans.id, { onDelete: 'set null' }),
    /** Yen that the platform pays the creator for it. */
    paid: integer('paid').notNull(),
    reason: text('reason').notNull(),
    actorId: actor(),
    createdAt: at('created_at').notNull(),
    /** When it ends or has ended. */
    endsAt: at('ends_at').notNull(),
  },
  (table) => [
    index('complimentary_memberships_user').on(table.userId, table.createdAt),
    index('complimentary_memberships_creator').on(table.creatorId, table.createdAt),
    check('complimentary_memberships_paid', sql`${table.paid} >= 0`),
    sized('complimentary_memberships_reason_size', table.reason, REASON_BYTES),
  ],
)

/** What each complimentary membership opens: its plan, and the cheaper ones that this opened when it was given. */
export const complimentaryGrants = pgTable(
  'complimentary_grants',
  {
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    complimentaryId: uuid('complimentary_id')
      .notNull()
      .references(() => complimentary.id),
    joinedAt: at('joined_at').notNull(),
    /** That of the complimentary membership, which a trigger copies. */
    endsAt: at('ends_at').notNull(),
    /** Posts that were released before stay closed; null opens all. */
    opensFrom: at('opens_from'),
    /** Whether it is open because the given plan is a dearer one. */
    isIncluded: boolean('is_included').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.userId, table.complimentaryId] }),
    index('complimentary_grants_user').on(table.userId, table.planId),
    index('complimentary_grants_of').on(table.complimentaryId),
  ],
)

/** Transfers of the payment provider to the operator's bank account. A row only gets its reversal, once. */
export const settlements = pgTable(
  'settlements',
  {
    /** Chosen by the admin's device. */
    id: uuid('id').primaryKey(),
    /** The day of the transfer in Asia/Tokyo. */
    day: date('day', { mode: 'string' }).notNull(),
    /** Yen on the bank account. */
    received: integer('received').notNull(),
    /** Yen that the provider deducted, tax included. */
    fee: integer('fee').notNull(),
    /** Of the provider's statement; '' without one. */
    reference: text('reference').notNull(),
    actorId: actor(),
    recordedAt: at('recorded_at').notNull(),
    reversedAt: at('reversed_at'),
    /** '' until it is reversed. */
    reversalReason: text('reversal_reason').notNull().default(''),
    reversedBy: uuid('reversed_by').references(() => users.id),
  },
  (table) => [
    index('settlements_recorded').on(table.recordedAt, table.id),
    check('settlements_amount', sql`${table.received} > 0 and ${table.fee} >= 0`),
    check('settlements_reversal', sql`${table.reversedAt} is not null or ${table.reversalReason} = ''`),
    sized('settlements_reference_size', table.reference, bytesFor(MAX_SETTLEMENT_REFERENCE)),
    sized('settlements_reversal_reason_size', table.reversalReason, REASON_BYTES),
  ],
)

/** What an admin recorded about a balance that no payout can pay. Append-only for the app. */
export const balanceClearings = pgTable(
  'balance_clearings',
  {
    /** Chosen by the admin's device. */
    id: uuid('id').primaryKey(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: clearingKinds }).notNull(),
    /** Yen by which the balance came nearer to zero. */
    amount: integer('amount').notNull(),
    reason: text('reason').notNull(),
    actorId: actor(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('balance_clearings_creator').on(table.creatorId, table.createdAt),
    check('balance_clearings_amount', sql`${table.amount} > 0`),
    sized('balance_clearings_reason_size', table.reason, REASON_BYTES),
  ],
)
