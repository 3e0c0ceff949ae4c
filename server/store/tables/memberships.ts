// Tables of paid memberships of plans, and of their numbers by day.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { endReasons, membershipStates } from '#contract/memberships/memberships.ts'
import { payments } from './payments.ts'
import { users } from './people.ts'
import { plans } from './plans.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const memberships = pgTable(
  'memberships',
  {
    /** The payment that began it. */
    id: uuid('id')
      .primaryKey()
      .references(() => payments.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** Who is paid. */
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id),
    /** Null when the plan was erased with its creator's account. */
    planId: uuid('plan_id').references(() => plans.id, { onDelete: 'set null' }),
    /** Yen a month, tax included, that the member agreed to. */
    price: integer('price').notNull(),
    /** Plan and price from the next charge on; null without a change. */
    nextPlanId: uuid('next_plan_id').references(() => plans.id, { onDelete: 'set null' }),
    nextPrice: integer('next_price'),
    state: text('state', { enum: membershipStates }).notNull(),
    /** Day of the month of each charge, 1 to 28. */
    chargeDay: smallint('charge_day').notNull(),
    provider: text('provider').notNull(),
    /** The provider's number of the recurring charge. */
    recurringRef: text('acid').notNull(),
    /** The payment whose form began the recurring charge; null for the one that began the membership. */
    formId: uuid('form_id').references(() => payments.id),
    /** When the card was last changed; null before. */
    cardChangedAt: at('card_changed_at'),
    /** The last month of the card, `YYYY-MM`; null where the provider does not say it. */
    cardExpires: text('card_expires'),
    /** The last month of the card of which the member was told; null before. */
    cardTold: text('card_told'),
    /** What the provider charges each month as far as is known, yen; 0 after it was stopped. */
    chargedAmount: integer('charged_amount').notNull(),
    /** The plan's price for new members that the member was last informed of; null before. */
    informedPrice: integer('informed_price'),
    /** The end of what was paid. */
    paidUntil: at('paid_until').notNull(),
    joinedAt: at('joined_at').notNull(),
    /** When the charges were stopped; null while they go on. */
    stoppedAt: at('stopped_at'),
    endedAt: at('ended_at'),
    /** Why it ends or has ended; null while it goes on. */
    why: text('why', { enum: endReasons }),
  },
  (table) => [
    uniqueIndex('memberships_running')
      .on(table.userId, table.creatorId)
      .where(sql`${table.state} <> 'ended'`),
    uniqueIndex('memberships_acid').on(table.provider, table.recurringRef),
    index('memberships_user').on(table.userId, table.joinedAt),
    index('memberships_creator').on(table.creatorId, table.state),
    index('memberships_plan').on(table.planId, table.state),
    index('memberships_next_plan').on(table.nextPlanId),
    index('memberships_due')
      .on(table.paidUntil)
      .where(sql`${table.state} <> 'ended'`),
  ],
)

/**
 * Changes of how many memberships of a plan began and ended on a day, which triggers add; their sums are the numbers. As in
 * `plan_count_changes` no row is ever changed, and there is no foreign key.
 */
export const membershipDays = pgTable(
  'membership_days',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    planId: uuid('plan_id').notNull(),
    /** In Asia/Tokyo. */
    day: date('day', { mode: 'string' }).notNull(),
    began: integer('began').notNull(),
    ended: integer('ended').notNull(),
    /** Whether it is the sum of earlier rows. */
    isFolded: boolean('is_folded').notNull().default(false),
  },
  (table) => [
    index('membership_days_plan').on(table.planId, table.day),
    index('membership_days_new')
      .on(table.planId, table.day)
      .where(sql`not ${table.isFolded}`),
  ],
)
