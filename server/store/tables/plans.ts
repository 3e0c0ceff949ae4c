// Tables of creators' plans and of their members.
import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    creatorId: uuid('creator_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Yen a month, tax included. */
    price: integer('price').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('plans_creator').on(table.creatorId, table.price, table.id)],
)

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
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.userId] }),
    index('plan_members_user').on(table.userId),
  ],
)
