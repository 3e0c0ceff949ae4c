// Closes desktop notifications that were read in the app or elsewhere.
import * as v from 'valibot'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import type { Ask } from './ask.ts'
import type { Lines } from './warm.ts'
import { noticeData, type Desktop } from './windows.ts'

export interface SettlePorts {
  readonly desktop: Pick<Desktop, 'registration'>
  readonly ask: Ask
  readonly session: () => Promise<Session | undefined>
  readonly now: () => number
}

/** Takes away what is shown of these lines. */
async function takeAway(
  { registration }: SettlePorts['desktop'],
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
 * Takes away what the server's list says is read; everything where nothing is unread. A line that stands further down
 * than the list's first page is left: nobody said that it was read.
 * @param since when the list was asked for, ms since 1970: it knows nothing of what was shown from then on
 */
export function settleBy(
  desktop: SettlePorts['desktop'],
  { notifications, unread }: Lines,
  since: number,
): Promise<void> {
  const read = new Set(notifications.flatMap((it) => (it.read ? [PUSH_TAG + it.id] : [])))
  return takeAway(desktop, (it) => shownAt(it) < since && (unread === 0 || read.has(it.tag)))
}

/**
 * Something was read in the app.
 * @param ids the lines; none where the count fell by itself: then the server is asked, as long as anything is shown
 */
export async function settle(
  { desktop, ask, session, now }: SettlePorts,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) {
    const read = new Set(ids.map((id) => PUSH_TAG + id))
    return takeAway(desktop, ({ tag }) => read.has(tag))
  }
  const since = now()
  const shown = await desktop.registration.getNotifications()
  if (!shown.some((it) => it.tag.startsWith(PUSH_TAG))) return
  const who = await session()
  const said = who && (await ask(listNotifications, {}, who.token))
  if (said) await settleBy(desktop, said, since)
}
