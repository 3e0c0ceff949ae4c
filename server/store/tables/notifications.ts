// Tables of notifications, broadcasts, notices, their readers, and push subscriptions.
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { MAX_URL } from '#contract/limits.ts'
import type { NoticeContent } from '#contract/notices/content.ts'
import { noticeAudiences, noticeStates } from '#contract/notices/notice-states.ts'
import { media } from './media.ts'
import { sessions, users } from './people.ts'
import { sized } from './text-size.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * Notifications of a person's list. Events with the same group key join one notification until it is read. The fields
 * are those of the specification (section 3).
 */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    settingCd: text('setting_cd').notNull(),
    /** Events with the same key join this notification while it is unread. */
    groupKey: text('group_key').notNull(),
    /** The latest actor; null for a notice of the service. */
    idolId: uuid('idol_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The post, plan or notice; no foreign key, since the target is in one of several tables and may be deleted. */
    targetId: uuid('target_id'),
    targetSub1Id: uuid('target_sub_1_id'),
    targetSub2Id: uuid('target_sub_2_id'),
    toUserId: uuid('to_user_id'),
    /** Whether the app's list shows it; otherwise it is only for push and email. */
    inApp: boolean('in_app').notNull(),
    createdAt: at('created_at').notNull(),
    /** When its latest event happened: lists are in this order. */
    updatedAt: at('updated_at').notNull(),
    readAt: at('read_at'),
    /** When devices were last alerted; further events alert them again only after a while. */
    toldAt: at('told_at'),
  },
  (table) => [
    index('notifications_newest').on(table.userId, table.updatedAt, table.id),
    index('notifications_unread')
      .on(table.userId)
      .where(sql`read_at is null`),
    uniqueIndex('notifications_open')
      .on(table.userId, table.groupKey)
      .where(sql`read_at is null`),
    index('notifications_group').on(table.userId, table.groupKey),
    index('notifications_target').on(table.targetId),
    index('notifications_idol').on(table.idolId),
  ],
)

/** Actors of a notification, each once. */
export const notificationActors = pgTable(
  'notification_actors',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.notificationId, table.actorId] }),
    index('notification_actors_actor').on(table.actorId),
  ],
)

/**
 * Broadcasts to many people, in batches. A job names its batch and runs only if that is the next one, so that no batch
 * runs twice.
 */
export const fanOuts = pgTable('fan_outs', {
  /** The post or the notice. */
  subjectId: uuid('about_id').primaryKey(),
  kind: text('kind', { enum: ['post', 'notice'] }).notNull(),
  /** Number of the next batch, from 0. */
  stretch: integer('stretch').notNull().default(0),
  /** The last person of the previous batch; null before the first batch and after the last. */
  after: uuid('after'),
  startedAt: at('started_at').notNull(),
  doneAt: at('done_at'),
})

/** A device that receives pushes for one session; deleted with the session. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** Endpoint of the push service: a secret that permits sending, so no reply and no log shows it. */
    endpoint: text('endpoint').notNull(),
    /** The device's public key and secret (RFC 8291), base64url. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: at('created_at').notNull(),
    /** When the push service last accepted a push. */
    deliveredAt: at('delivered_at'),
    /** Failures in a row, other than replies that the subscription is gone. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user').on(table.userId),
    index('push_subscriptions_session').on(table.sessionId),
    sized('push_subscriptions_endpoint_size', table.endpoint, MAX_URL * 3),
    sized('push_subscriptions_p256dh_size', table.p256dh, 87),
    sized('push_subscriptions_auth_size', table.auth, 22),
  ],
)

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

/** Consents to advertising by push and email (特定電子メール法). A withdrawn one is retained as proof for 90 days. */
export const advertisingConsents = pgTable('advertising_consents', {
  userId: owner().primaryKey(),
  givenAt: at('given_at').notNull(),
  withdrawnAt: at('withdrawn_at'),
})
