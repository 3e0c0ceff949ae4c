// Tables of notices of the operator, their readers, and consents to advertising.
import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { NoticeContent } from '#contract/notices/content.ts'
import { noticeAudiences, noticeStates } from '#contract/notices/notice-states.ts'
import { media } from './media.ts'
import { users } from './people.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Notices of the operator. Their broadcasts are in `fan_outs`. */
export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey(),
    title: text('title').notNull(),
    /** Markdown, as staff wrote it. */
    body: text('body').notNull(),
    /** The tree of the body, parsed when it was stored. */
    content: jsonb('content').$type<NoticeContent>().notNull(),
    state: text('state', { enum: noticeStates }).notNull(),
    audience: text('audience', { enum: noticeAudiences }).notNull(),
    /** Audience `members`: the creator; null also when their account was deleted, which leaves no one. */
    audienceCreatorId: uuid('audience_creator_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for all plans of the creator. No foreign key: without its plan the notice is for no one. */
    audiencePlanId: uuid('audience_plan_id'),
    /** Audience `build`. */
    audienceBuild: text('audience_build'),
    audienceWhich: text('audience_which', { enum: ['older', 'same'] }),
    pushes: boolean('pushes').notNull(),
    mails: boolean('mails').notNull(),
    isAdvertising: boolean('is_advertising').notNull(),
    isUrgent: boolean('is_urgent').notNull(),
    barUntil: at('bar_until'),
    pictureId: uuid('picture_id').references(() => media.id, { onDelete: 'set null' }),
    /** Counts the changes by staff. */
    revision: integer('revision').notNull().default(0),
    createdAt: at('created_at').notNull(),
    /** Null for a draft; in the future for a scheduled one. */
    publishedAt: at('published_at'),
    editedAt: at('edited_at'),
    /** People of the audience when it was published. */
    total: integer('total'),
    /** People whom its batches have reached, and those of them who got it. */
    reached: integer('reached').notNull().default(0),
    delivered: integer('delivered').notNull().default(0),
  },
  (table) => [
    index('notices_newest').on(table.createdAt, table.id),
    index('notices_state').on(table.state, table.createdAt, table.id),
    index('notices_published').on(table.publishedAt),
    index('notices_bars')
      .on(table.publishedAt, table.id)
      .where(sql`is_urgent`),
    index('notices_picture').on(table.pictureId),
    index('notices_creator').on(table.audienceCreatorId),
  ],
)

/** What one person did with a notice: opened it, closed its bar. Removed 90 days after the notice was published. */
export const noticeMarks = pgTable(
  'notice_marks',
  {
    noticeId: uuid('notice_id')
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    userId: owner(),
    /** The day (Asia/Tokyo) on which they opened it first; null while they have not. */
    readOn: date('read_on', { mode: 'string' }),
    closedAt: at('closed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.noticeId, table.userId] }),
    index('notice_marks_user').on(table.userId),
  ],
)

/** How many people opened a notice first on a day (Asia/Tokyo). It names no person. */
export const noticeReadDays = pgTable(
  'notice_read_days',
  {
    noticeId: uuid('notice_id')
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    readers: integer('readers').notNull(),
  },
  (table) => [primaryKey({ columns: [table.noticeId, table.day] })],
)

/** Consents to advertising by push and email (特定電子メール法). A withdrawn one is kept as proof for 90 days. */
export const advertisingConsents = pgTable('advertising_consents', {
  userId: owner().primaryKey(),
  givenAt: at('given_at').notNull(),
  withdrawnAt: at('withdrawn_at'),
})
