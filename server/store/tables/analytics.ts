// Tables of analytics: readings of the last days, and sums by post and day.
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { posts } from './posts.ts'

const post = () =>
  uuid('post_id')
    .notNull()
    .references(() => posts.id, { onDelete: 'cascade' })

/** Who has read what, until the day has been over for 24 hours. */
export const postReadings = pgTable(
  'post_readings',
  {
    postId: post(),
    /** In Asia/Tokyo. */
    day: date('day').notNull(),
    kind: text('kind', { enum: ['view', 'gate', 'watched'] }).notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.day, table.kind, table.userId] }),
    index('post_readings_day').on(table.day),
    index('post_readings_user').on(table.userId),
  ],
)

/** Numbers of readers of a post on a day. 1 to 4 are stored as 1, because an exact small number could identify a reader. */
export const postDays = pgTable(
  'post_days',
  {
    postId: post(),
    day: date('day').notNull(),
    views: integer('views').notNull(),
    gates: integer('gates').notNull(),
    watched: integer('watched').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.day] }),
    check(
      'post_days_few',
      sql`not (${table.views} between 2 and 4 or ${table.gates} between 2 and 4 or ${table.watched} between 2 and 4)`,
    ),
  ],
)
