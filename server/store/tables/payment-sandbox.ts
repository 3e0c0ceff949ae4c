// Tables of the sandbox providers: their charges, their notices and their behaviour.
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** The sandbox that a row belongs to. */
const provider = () =>
  text('provider', { enum: ['sandbox', 'hosted-sandbox'] })
    .notNull()
    .default('sandbox')

/** A payment that reached a sandbox, and what became of it. No real money moves. */
export const sandboxCharges = pgTable('sandbox_charges', {
  chargeRef: text('gid').primaryKey(),
  provider: provider(),
  /** What the app sent about the payment, by name. */
  fields: jsonb('fields').$type<Readonly<Record<string, string>>>().notNull(),
  paymentId: text('payment_id').notNull(),
  amount: integer('amount').notNull(),
  state: text('state', { enum: ['open', 'paid', 'refused', 'cancelled', 'refunded'] }).notNull(),
  createdAt: at('created_at').notNull(),
  chargedAt: at('charged_at'),
  /** The recurring charge that it belongs to; null for a single one. */
  recurringRef: text('acid'),
  /** Yen that were returned of it. */
  refunded: integer('refunded').notNull().default(0),
})

/** Recurring charges of the sandbox. */
export const sandboxRecurring = pgTable(
  'sandbox_recurring',
  {
    recurringRef: text('acid').primaryKey(),
    provider: provider(),
    /** What the app sent about the payment, by name. */
    fields: jsonb('fields').$type<Readonly<Record<string, string>>>().notNull(),
    paymentId: text('payment_id').notNull(),
    /** Yen a month. */
    amount: integer('amount').notNull(),
    state: text('state', { enum: ['running', 'stopped'] }).notNull(),
    /** When the next month is charged. */
    nextAt: at('next_at').notNull(),
    /** Failed tries of that month. */
    failures: integer('failures').notNull().default(0),
    createdAt: at('created_at').notNull(),
    /** The last month of its card, `YYYY-MM`; null for one of the version before. */
    cardExpires: text('card_expires'),
  },
  (table) => [
    index('sandbox_recurring_due')
      .on(table.nextAt)
      .where(sql`${table.state} = 'running'`),
  ],
)

/** Notices that the sandbox has to send. */
export const sandboxNotices = pgTable(
  'sandbox_notices',
  {
    id: uuid('id').primaryKey(),
    /** The charge that it is about; '' for a recurring charge that was stopped. */
    chargeRef: text('gid').notNull(),
    provider: provider(),
    /** Its query, or its body. */
    payload: text('query').notNull(),
    /** How often it is sent. */
    copies: integer('copies').notNull(),
    /** Null while it waits for a later notice, to be sent after it. */
    dueAt: at('due_at'),
    createdAt: at('created_at').notNull(),
    sentAt: at('sent_at'),
  },
  (table) => [
    index('sandbox_notices_unsent')
      .on(table.dueAt)
      .where(sql`${table.sentAt} is null`),
  ],
)

/** What the sandbox does wrong on purpose; one row, `id` 1. */
export const sandboxBehaviour = pgTable('sandbox_behaviour', {
  id: integer('id').primaryKey(),
  behaviour: jsonb('behaviour').$type<Readonly<Record<string, unknown>>>().notNull(),
})
