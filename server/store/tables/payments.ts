// Tables of payments, the provider's notices and charges, and the operator's tasks.
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_ADDRESSEE } from '#contract/limits.ts'
import { taskEnds, taskKinds } from '#contract/payments/operator-tasks.ts'
import { paymentStates } from '#contract/payments/payments.ts'
import { surplusReasons } from '#contract/payments/surplus.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import type { StoredDetails } from '#server/store/payments/stored-refs.ts'
import { users } from './people.ts'
import { plans } from './plans.ts'
import { posts } from './posts.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const payments = pgTable(
  'payments',
  {
    /** Chosen by the buyer's device. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Who is paid. */
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['post', 'plan'] }).notNull(),
    /** Null when the post was erased before it was paid for. */
    postId: uuid('post_id').references(() => posts.id, { onDelete: 'set null' }),
    /** Null for a post, and when the plan was erased with its creator's account. */
    planId: uuid('plan_id').references(() => plans.id, { onDelete: 'set null' }),
    /** The membership of which it paid a month (a foreign key); null for a post, and before it was paid. */
    membershipId: uuid('membership_id'),
    /** The membership whose card its form changes (a foreign key); null for every other payment. */
    changesCardOf: uuid('changes_card_of'),
    /** Whether its form takes no money, and only registers the card for the months after it. */
    registersOnly: boolean('registers_only').notNull().default(false),
    /** The month that it paid. */
    periodFrom: at('period_from'),
    periodUntil: at('period_until'),
    /** The plans that this month opened; null for a post, and for a month of a version that stored none, which counts for its own plan. */
    openedPlans: uuid('opened_plans').array(),
    /** Yen, tax included: the price that the buyer confirmed. */
    amount: integer('amount').notNull(),
    /** Fee of the platform at that time, basis points. */
    feeRate: integer('fee_rate').notNull(),
    state: text('state', { enum: paymentStates }).notNull(),
    /** The provider at which it was begun; null for a payment of a version that did not store it. */
    provider: text('provider'),
    /** The provider's number of the charge that paid. */
    chargeRef: text('charge_gid'),
    /** A random value of this payment for the return page; never a session of the app. */
    sessionId: text('session_id').notNull(),
    /** HMAC of id, kind and amount. */
    authId: text('auth_id').notNull(),
    /** Day of the monthly charge; null for a post. */
    chargeDay: smallint('ac1'),
    /** Keyed hash of the buyer's network, to limit refused cards; emptied after 30 days. */
    networkMac: text('network_mac').notNull().default(''),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    paidAt: at('paid_at'),
    /** When all of it was refunded. */
    refundedAt: at('refunded_at'),
    /** Yen that were refunded of it so far. */
    refundedAmount: integer('refunded_amount').notNull().default(0),
  },
  (table) => [
    uniqueIndex('payments_paid_post')
      .on(table.userId, table.postId)
      .where(sql`${table.kind} = 'post' and ${table.state} = 'paid'`),
    uniqueIndex('payments_paid_period').on(table.membershipId, table.periodUntil),
    index('payments_plan').on(table.planId),
    index('payments_card')
      .on(table.changesCardOf)
      .where(sql`${table.changesCardOf} is not null`),
    index('payments_months')
      .on(table.userId, table.periodFrom)
      .where(sql`${table.state} = 'paid' and ${table.periodFrom} is not null`),
    index('payments_user').on(table.userId, table.createdAt),
    index('payments_history').on(table.userId, table.paidAt, table.id),
    index('payments_post').on(table.postId),
    index('payments_open')
      .on(table.expiresAt)
      .where(sql`${table.state} in ('created', 'pending')`),
    index('payments_network')
      .on(table.networkMac, table.createdAt)
      .where(sql`${table.networkMac} <> ''`),
  ],
)

/** Notices of the provider as they arrived, each stored before it is handled. */
export const paymentNotices = pgTable(
  'payment_notices',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    /** The provider's number of the charge; '' where it could not be read. */
    chargeRef: text('gid').notNull(),
    /** What it reports; '' where it could not be read. */
    kind: text('kind').notNull(),
    /** The query as it was sent, cut to 8 KiB. */
    raw: text('raw').notNull(),
    method: text('method').notNull().default('GET'),
    /** Those headers that it is read with. */
    headers: jsonb('headers').$type<Readonly<Record<string, string>>>(),
    /** The bytes of the body as base64, at most 64 KiB; null without one. */
    body: text('body'),
    /** SHA-256 of the whole query and body, base64url. */
    digest: text('digest').notNull(),
    remoteAddress: text('remote_address').notNull(),
    receivedAt: at('received_at').notNull(),
    handledAt: at('handled_at'),
    /** What it changed, or `refused:` and why; null before it is handled. */
    outcome: text('outcome'),
    /** The payment that it names, if there is one. */
    paymentId: uuid('payment_id').references(() => payments.id),
  },
  (table) => [
    // A forged notice with the number of a charge must not hide the true one, so the digest is part of the key.
    uniqueIndex('payment_notices_once').on(table.provider, table.chargeRef, table.kind, table.digest),
    index('payment_notices_unhandled')
      .on(table.receivedAt)
      .where(sql`${table.handledAt} is null`),
    index('payment_notices_payment').on(table.paymentId, table.receivedAt),
    sized('payment_notices_raw_size', table.raw, 8192),
    sized('payment_notices_body_size', table.body, 87_384),
  ],
)

/** Money that the provider took, once for each of its numbers. */
export const charges = pgTable(
  'charges',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').notNull(),
    chargeRef: text('gid').notNull(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id),
    amount: integer('amount').notNull(),
    /** Whether it paid for nothing, and is owed back. */
    isSurplus: boolean('is_surplus').notNull(),
    /** Why it paid for nothing; null for one that paid, and of earlier versions. */
    surplusReason: text('surplus_reason', { enum: surplusReasons }),
    chargedAt: at('charged_at').notNull(),
    /** SHA-256 of the list from which staff applied it; null for one that the provider itself reported. */
    fileDigest: text('file_digest'),
  },
  (table) => [
    uniqueIndex('charges_once').on(table.provider, table.chargeRef),
    index('charges_payment').on(table.paymentId),
  ],
)

/** Receipts that were issued, one for each payment. */
export const receipts = pgTable(
  'receipts',
  {
    paymentId: uuid('payment_id')
      .primaryKey()
      .references(() => payments.id),
    /** `R-2026-000001`. */
    number: text('number').notNull(),
    /** As the buyer typed it at the latest issue; '' after the buyer's account was deleted. */
    addressee: text('addressee').notNull(),
    issuedAt: at('issued_at').notNull(),
    /** The latest issue. */
    lastIssuedAt: at('last_issued_at').notNull(),
    /** How often it was issued. */
    issues: integer('issues').notNull(),
  },
  (table) => [
    uniqueIndex('receipts_number').on(table.number),
    sized('receipts_addressee_size', table.addressee, bytesFor(MAX_ADDRESSEE)),
  ],
)

/** The last number of a receipt in each year, so that numbers have no gaps. */
export const receiptYears = pgTable('receipt_years', {
  /** In Asia/Tokyo. */
  year: smallint('year').primaryKey(),
  last: integer('last').notNull(),
})

/** What the operator has to do by hand. */
export const operatorTasks = pgTable(
  'operator_tasks',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', {
      enum: taskKinds,
    }).notNull(),
    paymentId: uuid('payment_id').references(() => payments.id),
    /** Ids, numbers and codes that the task is about. */
    details: jsonb('details').$type<StoredDetails>().notNull(),
    dueAt: at('due_at').notNull(),
    createdAt: at('created_at').notNull(),
    doneAt: at('done_at'),
    /** Null while it is open, and for those that were closed before it was stored. */
    doneWhy: text('done_why', { enum: taskEnds }),
  },
  (table) => [
    index('operator_tasks_open')
      .on(table.dueAt, table.id)
      .where(sql`${table.doneAt} is null`),
    index('operator_tasks_closed')
      .on(table.doneAt, table.id)
      .where(sql`${table.doneAt} is not null`),
    index('operator_tasks_payment').on(table.paymentId),
    sized('operator_tasks_details_size', sql`${table.details}::text`, 4096),
  ],
)

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
