// The app's windows, and notifications shown outside of them.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { NOTICE_TAG, noticeText, type DeliveryNotice } from '#contract/notifications/notices.ts'
import { PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { ToPage } from './messages.ts'

const ownPath = v.pipe(v.string(), v.startsWith('/'), v.regex(/^\/(?![/\\])/))

/**
 * Data of a notice: its page, and the notification behind it if the server sent it; when it was
 * shown, ms since 1970.
 */
export const noticeData = v.object({
  path: ownPath,
  notification_id: v.optional(id),
  user_id: v.optional(id),
  shown_at: v.optional(v.number()),
})
export type NoticeData = v.InferOutput<typeof noticeData>

/** The worker's interface to windows and notices, replaced in tests. */
export interface Desktop {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  clients: Pick<Clients, 'matchAll' | 'openWindow'>
  permission: () => NotificationPermission
}

export const ICON = '/icons/icon-192.png'

/** An app that does not answer within this does not answer, ms. */
const GO_MS = 1000
const LOOKING_MS = 300

/**
 * Shows the result of a delivery, unless the app is visible or notices are not allowed.
 * Seen in the app it needs no notice: an older one about the same post goes.
 */
export async function announce(desktop: Desktop, it: DeliveryNotice): Promise<void> {
  const { title, body, tag, path } = noticeText(it)
  const windows = await desktop.clients.matchAll({ type: 'window' })
  if (windows.some((window) => window.visibilityState === 'visible')) {
    for (const old of await desktop.registration.getNotifications({ tag })) old.close()
    return
  }
  if (desktop.permission() !== 'granted') return
  await desktop.registration.showNotification(title, { body, tag, icon: ICON, lang: 'ja', data: { path } })
}

/**
 * A notice was pressed, or one of its buttons. Opening it marks it as read.
 * @param action the button's name, '' for the notice itself
 * @param read marks the notification behind a notice as read
 */
export async function openNotice(
  desktop: Desktop,
  pressed: Pick<Notification, 'data' | 'close'>,
  action: string,
  read: (data: NoticeData) => Promise<void>,
): Promise<void> {
  pressed.close()
  const parsed = v.safeParse(noticeData, pressed.data)
  const data = parsed.success ? parsed.output : { path: '/' }
  if (action === 'read') return read(data)
  const opened = openPage(desktop, action === 'reply' ? withReply(data.path) : data.path)
  await Promise.all([opened, data.notification_id !== undefined && read(data)])
}

/** The same page, with the caret where an answer is written. */
const withReply = (path: string) => `${path}${path.includes('?') ? '&' : '?'}reply=1`

/** Shows a page in a window that is open, or in a new one where there is none or none can be led there. */
async function openPage({ clients }: Desktop, path: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const window = windows.find((it) => it.visibilityState === 'visible') ?? windows[0]
  if (!window) return void (await clients.openWindow(path))
  // First, so that a frozen page receives what follows. Refused where the browser does not count the press as a user activation.
  const focused = window.focus().catch(() => undefined)
  if (await asked(window, { type: 'go', path }, GO_MS)) return void (await focused)
  // A page that is only loading, or has broken down.
  await window.navigate(path).catch(() => clients.openWindow(path))
}

/** Whether one of the app's visible windows shows this page. */
export async function isSeen({ clients }: Pick<Desktop, 'clients'>, path: string): Promise<boolean> {
  const windows = await clients.matchAll({ type: 'window' })
  const visible = windows.filter((it) => it.visibilityState === 'visible')
  const seen = await Promise.all(visible.map((it) => asked(it, { type: 'looking', path }, LOOKING_MS)))
  return seen.includes(true)
}

/** What a page answers; false when it does not. */
function asked(window: Client, message: ToPage, patience: number): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer)
      port1.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end(false), patience)
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data === true))
    port1.start()
    window.postMessage(message, [port2])
  })
}

/**
 * A person signed in: earlier notices are done, or another person's. A person signed out: their notices must not be
 * seen by the next user of the device; that a post waits for their sign-in stays.
 */
export async function clearNotices(
  { registration }: Pick<Desktop, 'registration'>,
  isSomebodyHere: boolean,
): Promise<void> {
  for (const it of await registration.getNotifications())
    if (it.tag.startsWith(PUSH_TAG) || (isSomebodyHere && it.tag.startsWith(NOTICE_TAG))) it.close()
}
