// Handles a push: always shows a notification, and only to the person it is for.
import * as v from 'valibot'
import { targetOf } from '#contract/notifications/targets.ts'
import { neutralText, PUSH_TAG, pushPayload, type PushData } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { closeReadByList } from './close-read.ts'
import type { NotificationPage } from './prefetch.ts'
import { ICON, isSeen, type Desktop, type NoticeData } from './windows.ts'

export interface PushPorts {
  readonly desktop: Desktop
  readonly session: () => Promise<Session | undefined>
  /** The number on the app's icon. */
  readonly badge: (unread: number) => Promise<void>
  /** Fetches what the page of a notification will need, and the list. */
  readonly warm: (data: PushData, session: Session) => Promise<NotificationPage | undefined>
  readonly now: () => number
}

/** The device's database may hang; the notification may not wait for it longer, ms. */
const SESSION_MS = 2000
/** A notification about what the person is looking at is taken away after this, ms. */
const SEEN_MS = 1000

// TypeScript's library does not know what browsers have here.
interface Shown extends NotificationOptions {
  readonly renotify?: boolean
  readonly actions?: readonly { readonly action: NoticeAction; readonly title: string }[]
  readonly data: NoticeData
}

/** Buttons of a notification. */
export type NoticeAction = 'reply' | 'read'

const always = { icon: ICON, lang: 'ja', dir: 'ltr' } as const
const titles: Record<NoticeAction, string> = { reply: '返信', read: '既読にする' }
const buttons = (...actions: NoticeAction[]) => actions.map((action) => ({ action, title: titles[action] }))

/** Acts that come in numbers: a later one of the same line makes no sound again. */
const quiet = new Set(['like_post', 'like_comment', 'follow'])
const spoken = new Set(['comment', 'reply_comment', 'mention'])

/** A comment can be answered below its post; a mention may also be in the post itself. */
const isAnswerable = ({
  setting_cd: code,
  target_sub_1_id: comment,
  post_deleted: gone,
}: PushData): boolean => spoken.has(code) && comment !== null && !gone

/**
 * Shows a push. An unreadable one, and one for a person who is not signed in here, is shown without
 * content: a browser revokes the permission if no notification is shown.
 * @param text what came, undefined for a push without data
 */
export async function showPush(ports: PushPorts, text: string | undefined): Promise<void> {
  const { desktop } = ports
  const payload = v.safeParse(pushPayload, parsed(text))
  const session = await Promise.race([ports.session().catch(() => undefined), later(SESSION_MS)])
  if (!payload.success || !session || payload.output.notification.data.user_id !== session.user.id) {
    const data: NoticeData = { path: '/notify', shown_at: ports.now() }
    const options: Shown = { ...always, body: neutralText.body, tag: `${PUSH_TAG}neutral`, data }
    return desktop.registration.showNotification(neutralText.title, options)
  }
  const { notification, app_badge: unread } = payload.output
  const { title, body, tag, data } = notification
  if (!('notification_id' in data)) {
    const options: Shown = { ...always, body, tag, data: { path: '/settings/notification' } }
    return desktop.registration.showNotification(title, options)
  }
  const path = targetOf(data)
  const seen = await isSeen(desktop, path)
  const at = ports.now()
  const options: Shown = {
    ...always,
    body,
    tag,
    silent: seen,
    renotify: !seen && !quiet.has(data.setting_cd),
    actions: isAnswerable(data) ? buttons('reply', 'read') : buttons('read'),
    data: { path, notification_id: data.notification_id, user_id: data.user_id, shown_at: at },
  }
  await desktop.registration.showNotification(title, options)
  // The number is the server's own count; one without it stays as it is.
  const warm = async () => {
    const lines = await ports.warm(data, session)
    if (lines) await closeReadByList(desktop, lines, at)
  }
  await Promise.all([ports.badge(unread), warm(), seen && takeAway(desktop, tag)])
}

async function takeAway({ registration }: Desktop, tag: string): Promise<void> {
  await later(SEEN_MS)
  for (const it of await registration.getNotifications({ tag })) it.close()
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))
