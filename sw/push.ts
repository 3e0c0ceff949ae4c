// Handles a push: always shows a notification, with content only for its recipient.
import * as v from 'valibot'
import { targetOf } from '#contract/notifications/targets.ts'
import {
  type MessageData,
  neutralText,
  PUSH_TAG,
  pushPayload,
  type PushData,
} from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { closeReadByList } from './close-read.ts'
import type { NotificationPage } from './prefetch.ts'
import { ICON, isSeen, type Desktop, type NoticeData } from './windows.ts'

export interface PushPorts {
  readonly desktop: Desktop
  readonly session: () => Promise<Session | undefined>
  /** Sets the number on the app's icon. */
  readonly badge: (unread: number) => Promise<void>
  /** Fetches what the page of a notification needs, and the list of notifications. */
  readonly prefetch: (data: PushData, session: Session) => Promise<NotificationPage | undefined>
  /** Fetches the conversation with a person, which the page of a message shows. */
  readonly prefetchConversation: (userId: string, session: Session) => Promise<void>
  /** Closes the notices of conversations that were read, if they were shown before a moment. */
  readonly closeConversations: (since: number) => Promise<void>
  readonly now: () => number
}

/** A notification waits no longer than this for the session, ms: the device's database may hang. */
const SESSION_TIMEOUT_MS = 2000
/** A notification about the page that the person sees is closed after this, ms. */
const SEEN_CLOSE_MS = 1000

// TypeScript's library lacks these options of browsers.
interface NoticeOptions extends NotificationOptions {
  readonly renotify?: boolean
  readonly actions?: readonly Button[]
  readonly data: NoticeData
}

/** Buttons of a notification. */
export type NoticeAction = 'reply' | 'read'

interface Button {
  readonly action: NoticeAction
  readonly title: string
  /** With a field on the notice itself, in browsers that have it. */
  readonly type?: 'text'
}

const commonOptions = { icon: ICON, lang: 'ja', dir: 'ltr' } as const
const titles: Record<NoticeAction, string> = { reply: '返信', read: '既読にする' }
const buttons = (...actions: NoticeAction[]): Button[] =>
  actions.map((action) => ({ action, title: titles[action] }))

/** Kinds of which there may be many: a later event of the same notification makes no sound. */
const silentUpdateCodes = new Set(['like_post', 'like_comment', 'follow'])
const commentCodes = new Set(['comment', 'reply_comment', 'mention'])

/** A comment can be answered below its post; a mention may also be in the post itself. */
const isAnswerable = ({
  setting_cd: code,
  target_sub_1_id: comment,
  post_deleted: isDeleted,
}: PushData): boolean => commentCodes.has(code) && comment !== null && !isDeleted

function buttonsOf(data: PushData | MessageData): readonly Button[] {
  // The field is last: on Linux, Chromium counts the buttons without it, and a press of a later one would be that of the one before.
  if ('seq' in data) return [...buttons('read'), { action: 'reply', title: titles.reply, type: 'text' }]
  return isAnswerable(data) ? buttons('reply', 'read') : buttons('read')
}

/** What the buttons of a notice act on. */
function subjectOf(data: PushData | MessageData): Partial<NoticeData> {
  if (!('seq' in data)) return { notification_id: data.notification_id }
  return { conversation: { user_id: data.idol_id, name: data.name, seq: data.seq } }
}

/**
 * Shows a push. One that cannot be parsed, or whose recipient is not signed in on this device, is shown without
 * content: a browser revokes the permission if no notification is shown.
 * @param text the data of the push, undefined without any
 */
export async function showPush(ports: PushPorts, text: string | undefined): Promise<void> {
  const { desktop } = ports
  const payload = v.safeParse(pushPayload, parseJson(text))
  const session = await Promise.race([ports.session().catch(() => undefined), delay(SESSION_TIMEOUT_MS)])
  if (!payload.success || !session || payload.output.notification.data.user_id !== session.user.id) {
    const data: NoticeData = { path: '/notify', shown_at: ports.now() }
    const options: NoticeOptions = {
      ...commonOptions,
      body: neutralText.body,
      tag: `${PUSH_TAG}neutral`,
      data,
    }
    return desktop.registration.showNotification(neutralText.title, options)
  }
  const { notification, app_badge: unread } = payload.output
  const { title, body, tag, data } = notification
  if (!('idol_id' in data)) {
    const options: NoticeOptions = { ...commonOptions, body, tag, data: { path: '/settings/notification' } }
    return desktop.registration.showNotification(title, options)
  }
  const path = targetOf(data)
  const isPageSeen = await isSeen(desktop, path)
  const at = ports.now()
  const options: NoticeOptions = {
    ...commonOptions,
    body,
    tag,
    silent: isPageSeen,
    renotify: !isPageSeen && !silentUpdateCodes.has(data.setting_cd),
    actions: buttonsOf(data),
    data: { ...subjectOf(data), path, user_id: data.user_id, shown_at: at },
  }
  await desktop.registration.showNotification(title, options)
  const prefetchAndClose = async () => {
    if ('seq' in data) return ports.prefetchConversation(data.idol_id, session)
    const list = await ports.prefetch(data, session)
    if (list) await closeReadByList(desktop, list, at)
  }
  await Promise.all([
    ports.badge(unread),
    prefetchAndClose(),
    ports.closeConversations(at),
    isPageSeen && closeSoon(desktop, tag),
  ])
}

async function closeSoon({ registration }: Desktop, tag: string): Promise<void> {
  await delay(SEEN_CLOSE_MS)
  for (const it of await registration.getNotifications({ tag })) it.close()
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const delay = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))
