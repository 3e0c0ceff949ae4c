// Notifications of a person: the list, the unread count and marking as read.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { notificationEntity } from './targets.ts'

/** Unread notifications are counted up to this: more is shown as 99+. */
export const UNREAD_CAP = 100
/** Longest quotation of what a notification is about, grapheme clusters. */
export const MAX_EXCERPT = 80
/** Most notifications that one call marks as read. */
export const MAX_READ = 100

/** One notification: events of one kind on one target are grouped until it is read. */
export const notificationView = v.object({
  id,
  ...notificationEntity.entries,
  /** When the last event happened. */
  updated_at: instant,
  read: v.boolean(),
  /** The latest actors, at most three, newest first; empty for the service. */
  people: v.array(personView),
  /** Number of actors besides the first of `people`. */
  others: v.number(),
  /** The beginning of what it is about, as far as its receiver sees that in full now. */
  excerpt: v.nullable(v.string()),
})
export type NotificationView = v.InferOutput<typeof notificationView>

const unread = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(UNREAD_CAP))
const unreadCount = v.object({ unread, version: countVersion })
export type UnreadCount = v.InferOutput<typeof unreadCount>

/** The latest first. `cursor` is the previous page's `next`. */
export const listNotifications = endpoint({
  name: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  audience: 'member',
  cached: true,
  summary: '通知（新しい順）',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({
    notifications: v.array(notificationView),
    next: v.nullable(v.string()),
    unread,
  }),
  errors: ['unauthenticated'],
})

/** The number of unread notifications, up to `UNREAD_CAP`. */
export const countUnread = endpoint({
  name: 'countUnread',
  method: 'GET',
  path: '/notifications/unread',
  audience: 'member',
  cached: true,
  summary: '未読の通知の数',
  reply: unreadCount,
  errors: ['unauthenticated'],
})

/** The number on the app's icon: unread notifications, and unread messages as `countUnreadMessages` has them. */
export const countBadge = endpoint({
  name: 'countBadge',
  method: 'GET',
  path: '/notifications/badge',
  audience: 'member',
  summary: '未読の通知とメッセージの数',
  reply: v.object({ count: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  errors: ['unauthenticated'],
})

/**
 * Marks notifications as read: the named ones, all up to a moment, or all. A repeat changes nothing;
 * notifications of other people are not changed.
 */
export const readNotifications = endpoint({
  name: 'readNotifications',
  method: 'POST',
  path: '/notifications/read',
  audience: 'member',
  summary: '通知を既読にします',
  body: v.object({
    ids: v.optional(v.pipe(v.array(id), v.maxLength(MAX_READ, 'too_long'))),
    /** `updated_at` of the latest notification that was shown: later ones stay unread. */
    until: v.optional(instant),
  }),
  reply: unreadCount,
  errors: ['unauthenticated'],
})
