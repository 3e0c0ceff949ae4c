// Tables of creators' plans and of their members.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_PLAN_TEXT, MAX_THANKS } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { media } from './media.ts'
import { users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Yen a month, tax included, for people who join from now on. */
    price: integer('price').notNull(),
    /** What members get. */
    description: text('description').notNull().default(''),
    /** Sent to each new member; '' without one. */
    thanks: text('thanks').notNull().default(''),
    /** Place among the creator's plans; equal ones are ordered by price and id. */
    position: integer('position').notNull().default(0),
    acceptsMembers: boolean('accepts_members').notNull().default(true),
    memberLimit: integer('member_limit'),
    /** Whether it opens the posts of the creator's cheaper plans too. */
    opensCheaper: boolean('opens_cheaper').notNull().default(true),
    /** Which plan posts a member can read: all, or those released since they joined and in months that they had before. */
    backNumbers: text('back_numbers', { enum: ['all', 'since_joining'] })
      .notNull()
      .default('all'),
    /** When the plan ends; null unless its end was announced. */
    endsAt: at('ends_at'),
    /** From when on its price, and whether it opens cheaper plans, count for what people have joined already; null once they do. */
    settlesAt: at('settles_at'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('plans_creator').on(table.creatorId, table.position, table.price, table.id),
    sized('plans_description_size', table.description, bytesFor(MAX_PLAN_TEXT)),
    sized('plans_thanks_size', table.thanks, bytesFor(MAX_THANKS)),
  ],
)

/** Pictures of plans. */
export const planPictures = pgTable(
  'plan_pictures',
  {
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    /** `next`: uploaded, and replaces the shown picture once it is converted. */
    role: text('role', { enum: ['shown', 'next'] }).notNull(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => media.id),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.role] }),
    index('plan_pictures_media').on(table.mediaId),
  ],
)

/**
 * What paid memberships open, and plans that were given without one. Rows with a complimentary membership are of the version before
 * `complimentary_grants`, which has a copy of those that run.
 */
export const planMembers = pgTable(
  'plan_members',
  {
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: at('joined_at').notNull(),
    /** When the membership ends; null while it continues. */
    endsAt: at('ends_at'),
    /** Posts that were released before stay closed; null opens all. */
    opensFrom: at('opens_from'),
    /** The paid membership that opens the plan (a foreign key); null for a plan that was given without payments. */
    membershipId: uuid('membership_id'),
    /** The complimentary membership that opens the plan (a foreign key); null without one. */
    complimentaryId: uuid('complimentary_id'),
    /** Whether it is open because the membership is of a dearer plan: its creator does not count this person. */
    isIncluded: boolean('is_included').notNull().default(false),
    /** Until when devices may show offline copies; null is `ends_at`. */
    copiesUntil: at('copies_until'),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.userId] }),
    index('plan_members_user').on(table.userId, table.joinedAt, table.planId),
    index('plan_members_newest').on(table.planId, table.joinedAt, table.userId),
    index('plan_members_membership').on(table.membershipId),
    // For counts, which read only members whose end is known.
    index('plan_members_ending')
      .on(table.planId, table.endsAt)
      .where(sql`${table.endsAt} is not null and not ${table.isIncluded}`),
  ],
)

/**
 * Changes of the numbers of a plan, which triggers add; their sum is the number. No row is ever changed, so that people who
 * join one plan at once do not wait for each other. Without a foreign key, whose lock would be such a wait.
 */
export const planCountChanges = pgTable(
  'plan_count_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    planId: uuid('plan_id').notNull(),
    /** Members without an end, other than through a dearer plan. */
    members: integer('members').notNull(),
    /** Yen that paying members agreed to pay a month. */
    monthlyYen: bigint('monthly_yen', { mode: 'number' }).notNull(),
  },
  (table) => [index('plan_count_changes_plan').on(table.planId)],
)
