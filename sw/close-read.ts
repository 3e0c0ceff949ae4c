// Closes desktop notifications that were read in the app or elsewhere.
import * as v from 'valibot'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { getConversation } from '#contract/messages/conversations.ts'
import { MESSAGE_TAG, PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'
import type { NotificationPage } from './prefetch.ts'
import { noticeData, type Desktop } from './windows.ts'

export interface CloseReadPorts {
  readonly desktop: Pick<Desktop, 'registration'>
  readonly callApi: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly now: () => number
}

/** Closes the shown notices that are over. */
async function closeNoticesWhere(
  { registration }: CloseReadPorts['desktop'],
  isOver: (it: Notification) => boolean | Promise<boolean>,
): Promise<void> {
  for (const it of await registration.getNotifications()) if (await isOver(it)) it.close()
}

/** When a notice was shown, ms since 1970; 0 for one that the system showed by itself from the push, without a time. */
function shownAt({ data }: Notification): number {
  const parsed = v.safeParse(noticeData, data)
  return (parsed.success && parsed.output.shown_at) || 0
}

/**
 * Closes the notices whose notifications are marked as read in the server's list; all if none is unread. A notice whose
 * notification is not on the first page of the list stays: its state is unknown.
 * @param since when the list was requested, ms since 1970: it does not contain later notices
 */
export function closeReadByList(
  desktop: CloseReadPorts['desktop'],
  { notifications, unread }: NotificationPage,
  since: number,
): Promise<void> {
  const read = new Set(notifications.flatMap((it) => (it.read ? [PUSH_TAG + it.id] : [])))
  return closeNoticesWhere(
    desktop,
    (it) => it.tag.startsWith(PUSH_TAG) && shownAt(it) < since && (unread === 0 || read.has(it.tag)),
  )
}

/** Closes the notices of conversations without unread messages; the server is requested once for each that is shown. */
export async function closeReadConversations(
  { desktop, callApi, session }: CloseReadPorts,
  since: number,
): Promise<void> {
  const token = (await session())?.token
  await closeNoticesWhere(desktop, async (it) => {
    if (token === undefined || !it.tag.startsWith(MESSAGE_TAG) || shownAt(it) >= since) return false
    const params = { user_id: it.tag.slice(MESSAGE_TAG.length) }
    return (await callApi(getConversation, { params }, token))?.unread === 0
  })
}

/**
 * Closes the notices of what was read in the app.
 * @param ids the notifications
 * @param people whose conversations; without either, only a count fell: then the server is requested, if any notice is shown
 */
export async function closeRead(
  ports: CloseReadPorts,
  ids: readonly string[],
  people: readonly string[],
): Promise<void> {
  const { desktop, callApi, session, now } = ports
  const read = new Set([...ids.map((id) => PUSH_TAG + id), ...people.map((id) => MESSAGE_TAG + id)])
  if (read.size > 0) return closeNoticesWhere(desktop, ({ tag }) => read.has(tag))
  const since = now()
  await closeReadConversations(ports, since)
  const shown = await desktop.registration.getNotifications()
  if (!shown.some((it) => it.tag.startsWith(PUSH_TAG))) return
  const signedIn = await session()
  const list = signedIn && (await callApi(listNotifications, {}, signedIn.token))
  if (list) await closeReadByList(desktop, list, since)
}
