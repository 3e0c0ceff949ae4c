// The app's windows, and the notices on the desktop.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { NOTICE_TAG, noticeText, type DeliveryNotice } from '#contract/notifications/notices.ts'
import { MESSAGE_TAG, PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { ToPage } from './messages.ts'

const ownPath = v.pipe(v.string(), v.startsWith('/'), v.regex(/^\/(?![/\\])/))

/**
 * Data of a notice: its page, the id and recipient of its notification if the server sent it, the other person of its
 * conversation with the number of the newest message, and the time at which it was shown, ms since 1970.
 */
export const noticeData = v.object({
  path: ownPath,
  notification_id: v.optional(id),
  user_id: v.optional(id),
  conversation: v.optional(v.object({ user_id: id, name: v.string(), seq: v.number() })),
  shown_at: v.optional(v.number()),
})
export type NoticeData = v.InferOutput<typeof noticeData>

/** The worker's interface to windows and notices; tests replace it. */
export interface Desktop {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  clients: Pick<Clients, 'matchAll' | 'openWindow'>
  permission: () => NotificationPermission
}

export const ICON = '/icons/icon-192.png'

/** How long a page may take to answer the messages `go` and `looking`, ms. */
const GO_TIMEOUT_MS = 1000
const LOOKING_TIMEOUT_MS = 300

/**
 * Shows the result of a delivery, unless the app is visible or notices are not allowed. A visible app shows the result
 * itself: then an older notice about the same post is closed.
 */
export async function showDeliveryNotice(desktop: Desktop, notice: DeliveryNotice): Promise<void> {
  const { title, body, tag, path } = noticeText(notice)
  const windows = await desktop.clients.matchAll({ type: 'window' })
  if (windows.some((window) => window.visibilityState === 'visible')) {
    for (const old of await desktop.registration.getNotifications({ tag })) old.close()
    return
  }
  if (desktop.permission() !== 'granted') return
  await desktop.registration.showNotification(title, { body, tag, icon: ICON, lang: 'ja', data: { path } })
}

export interface Press {
  readonly action: string
  /** Only browsers with fields in notices have it. */
  readonly reply?: string | null
}

export interface NoticePorts {
  /** Marks the notification or the conversation of a notice as read. */
  readonly read: (data: NoticeData) => Promise<void>
  /** Sends a message to the other person of a conversation's notice. @returns false if it cannot: then the page opens */
  readonly answer: (data: NoticeData, text: string) => Promise<boolean>
}

/**
 * Handles a press of a notice or of one of its buttons. Opening a notice marks its notification as read; a
 * conversation is marked by its page, which shows where the unread messages begin.
 * @param press the button's name, '' for the notice itself, and what was typed into it
 */
export async function openNotice(
  desktop: Desktop,
  pressed: Pick<Notification, 'data' | 'close'>,
  { action, reply }: Press,
  { read, answer }: NoticePorts,
): Promise<void> {
  pressed.close()
  const parsed = v.safeParse(noticeData, pressed.data)
  const data = parsed.success ? parsed.output : { path: '/' }
  if (action === 'read' || (reply && (await answer(data, reply)))) return read(data)
  const opened = openPage(desktop, action === 'reply' ? withReply(data.path) : data.path)
  await Promise.all([opened, data.notification_id !== undefined && read(data)])
}

/** The address of the same page with the caret in the reply field. */
const withReply = (path: string) => `${path}${path.includes('?') ? '&' : '?'}reply=1`

/** Shows a page in an open window, or in a new one if none is open or can be navigated. */
export async function openPage({ clients }: Desktop, path: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const window = windows.find((it) => it.visibilityState === 'visible') ?? windows[0]
  if (!window) return void (await clients.openWindow(path))
  // Focused first, so that a frozen page receives the message. The browser refuses this if it does not count the press as a
  // user activation.
  const focused = window.focus().catch(() => undefined)
  if (await askPage(window, { type: 'go', path }, GO_TIMEOUT_MS)) return void (await focused)
  // The page is still loading, or its script has failed.
  await window.navigate(path).catch(() => clients.openWindow(path))
}

/** Whether one of the app's visible windows shows this page. */
export async function isSeen({ clients }: Pick<Desktop, 'clients'>, path: string): Promise<boolean> {
  const windows = await clients.matchAll({ type: 'window' })
  const visible = windows.filter((it) => it.visibilityState === 'visible')
  const seen = await Promise.all(
    visible.map((it) => askPage(it, { type: 'looking', path }, LOOKING_TIMEOUT_MS)),
  )
  return seen.includes(true)
}

/** The answer of a page to a message; false without one. */
function askPage(window: Client, message: ToPage, timeoutMs: number): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer)
      port1.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data === true))
    port1.start()
    window.postMessage(message, [port2])
  })
}

/**
 * Closes notices when a person signs in or out. At a sign-in all are closed: they are outdated, or another person's. At a
 * sign-out those about notifications are closed, since the next user of the device must not see them; a notice that a post
 * waits for the sign-in stays.
 */
export async function clearNotices(
  { registration }: Pick<Desktop, 'registration'>,
  isSignedIn: boolean,
): Promise<void> {
  for (const it of await registration.getNotifications())
    if (isPushed(it) || (isSignedIn && it.tag.startsWith(NOTICE_TAG))) it.close()
}

const isPushed = ({ tag }: Notification) => tag.startsWith(PUSH_TAG) || tag.startsWith(MESSAGE_TAG)
