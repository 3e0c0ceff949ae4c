// Closes desktop notifications that were read in the app or elsewhere.
import * as v from 'valibot'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'
import type { NotificationPage } from './prefetch.ts'
import { noticeData, type Desktop } from './windows.ts'

export interface CloseReadPorts {
  readonly desktop: Pick<Desktop, 'registration'>
  readonly ask: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly now: () => number
}

/** Takes away what is shown of these lines. */
async function closeWhere(
  { registration }: CloseReadPorts['desktop'],
  isOver: (it: Notification) => boolean,
): Promise<void> {
  for (const it of await registration.getNotifications())
    if (it.tag.startsWith(PUSH_TAG) && isOver(it)) it.close()
}

/** What the system showed by itself, from the push alone, has no such time and counts as shown long ago. */
function shownAt({ data }: Notification): number {
  const parsed = v.safeParse(noticeData, data)
  return (parsed.success && parsed.output.shown_at) || 0
}

/**
 * Closes the notices whose notifications are read by the server's list; all where nothing is unread. A notification
 * below the list's first page stays: its state is unknown.
 * @param since when the list was requested, ms since 1970: it does not contain later notices
 */
export function closeReadByList(
  desktop: CloseReadPorts['desktop'],
  { notifications, unread }: NotificationPage,
  since: number,
): Promise<void> {
  const read = new Set(notifications.flatMap((it) => (it.read ? [PUSH_TAG + it.id] : [])))
  return closeWhere(desktop, (it) => shownAt(it) < since && (unread === 0 || read.has(it.tag)))
}

/**
 * Something was read in the app.
 * @param ids the notifications; empty if only the count fell: then the server is asked, as long as any is shown
 */
export async function closeRead(
  { desktop, ask, session, now }: CloseReadPorts,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) {
    const read = new Set(ids.map((id) => PUSH_TAG + id))
    return closeWhere(desktop, ({ tag }) => read.has(tag))
  }
  const since = now()
  const shown = await desktop.registration.getNotifications()
  if (!shown.some((it) => it.tag.startsWith(PUSH_TAG))) return
  const who = await session()
  const said = who && (await ask(listNotifications, {}, who.token))
  if (said) await closeReadByList(desktop, said, since)
}
