// The payload of a push: a declarative message, with the notification as its data.
// Browsers that support the Push API's JSON form show it themselves; others pass it to the worker.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { notificationEntity } from './targets.ts'

/** The data that the worker reads. */
export const pushData = v.object({
  ...notificationEntity.entries,
  notification_id: id,
  /** The recipient: a device with another person's session does not show its content. */
  user_id: id,
})
export type PushData = v.InferOutput<typeof pushData>

/** A push of a conversation, which has no notification. `idol_id`: its other person. */
export const messageData = v.object({
  ...notificationEntity.entries,
  setting_cd: v.literal('message'),
  idol_id: id,
  /** The name of the other person. */
  name: v.string(),
  /** Sequence number of the newest message that the notice shows. */
  seq: v.number(),
  user_id: id,
})
export type MessageData = v.InferOutput<typeof messageData>

/** A test push of a device, without a notification. */
export const testData = v.object({ setting_cd: v.literal('test'), user_id: id })

export const pushPayload = v.object({
  web_push: v.literal(8030),
  /** The worker receives the push before the browser shows it. */
  mutable: v.literal(true),
  notification: v.object({
    title: v.string(),
    body: v.string(),
    lang: v.literal('ja'),
    dir: v.literal('ltr'),
    /** A later push about the same notification replaces an earlier one. */
    tag: v.string(),
    /** The page it leads to, as a whole address. */
    navigate: v.string(),
    data: v.union([testData, messageData, pushData]),
  }),
  /** Unread notifications and messages, as `countBadge` has them. */
  app_badge: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type PushPayload = v.InferOutput<typeof pushPayload>

/** How the tags of pushed notifications begin. */
export const PUSH_TAG = 'notification-'

/** How the tags of the notices of conversations begin; the id of the other person follows. */
export const MESSAGE_TAG = 'message-'

/** The text of a notification whose content is unknown or must not be shown. */
export const neutralText = { title: 'お知らせがあります', body: '' } as const

/** The text of a test push. */
export const testText = {
  title: '通知のテスト',
  body: 'この端末で通知を受け取れます。',
} as const
