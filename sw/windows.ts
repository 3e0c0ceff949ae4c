// The app's windows and what is said outside of them: notices while nobody looks, and where a press on one leads.
import * as v from 'valibot'
import { NOTICE_TAG, noticeText, type DeliveryNotice } from '#contract/notices.ts'
import type { ToPage } from './messages.ts'

const notice = v.object({ path: v.pipe(v.string(), v.startsWith('/'), v.regex(/^\/(?!\/)/)) })

/** The worker's part of the world, so that tests can stand in for it. */
export interface Desktop {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'getNotifications'>
  clients: Pick<Clients, 'matchAll' | 'openWindow'>
  permission: () => NotificationPermission
}

const icon = '/icons/icon-192.png'

/**
 * Says what became of a delivery, unless somebody sees the app or notices are not allowed.
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
  await desktop.registration.showNotification(title, { body, tag, icon, lang: 'ja', data: { path } })
}

/** A notice was pressed: its page is shown in a window that is open, or in a new one. */
export async function openNotice(desktop: Desktop, pressed: Notification): Promise<void> {
  pressed.close()
  const data = v.safeParse(notice, pressed.data)
  const path = data.success ? data.output.path : '/'
  const [window] = await desktop.clients.matchAll({ type: 'window' })
  if (!window) return void (await desktop.clients.openWindow(path))
  const go: ToPage = { type: 'go', path }
  window.postMessage(go)
  // Refused where the browser does not take the press for one; the page has changed all the same.
  await window.focus().catch(() => undefined)
}

/** Somebody signed in: what was said before is settled, or another person's. */
export async function clearNotices({ registration }: Pick<Desktop, 'registration'>): Promise<void> {
  for (const it of await registration.getNotifications()) if (it.tag.startsWith(NOTICE_TAG)) it.close()
}
