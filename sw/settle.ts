// Notifications that were read are not shown on the desktop any longer: in the app here, or on another device.
import { listNotifications } from '#contract/notifications.ts'
import { PUSH_TAG } from '#contract/push-payload.ts'
import type { Session } from '#device/schema.ts'
import type { Ask } from './ask.ts'
import type { Lines } from './warm.ts'
import type { Desktop } from './windows.ts'

export interface SettlePorts {
  readonly desktop: Pick<Desktop, 'registration'>
  readonly ask: Ask
  readonly session: () => Promise<Session | undefined>
}

/** Takes away what is shown of these lines. */
async function takeAway(
  { registration }: SettlePorts['desktop'],
  isOver: (tag: string) => boolean,
): Promise<void> {
  for (const it of await registration.getNotifications())
    if (it.tag.startsWith(PUSH_TAG) && isOver(it.tag)) it.close()
}

/**
 * Takes away what the server's list says is read; everything where nothing is unread. A line that stands further down
 * than the list's first page is left: nobody said that it was read.
 * @param but the tag of the push that has just been shown
 */
export function settleBy(
  desktop: SettlePorts['desktop'],
  { notifications, unread }: Lines,
  but?: string,
): Promise<void> {
  const read = new Set(notifications.flatMap((it) => (it.read ? [PUSH_TAG + it.id] : [])))
  return takeAway(desktop, (tag) => tag !== but && (unread === 0 || read.has(tag)))
}

/**
 * Something was read in the app.
 * @param ids the lines; none where the count fell by itself: then the server is asked, as long as anything is shown
 */
export async function settle({ desktop, ask, session }: SettlePorts, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    const read = new Set(ids.map((id) => PUSH_TAG + id))
    return takeAway(desktop, (tag) => read.has(tag))
  }
  const shown = await desktop.registration.getNotifications()
  if (!shown.some((it) => it.tag.startsWith(PUSH_TAG))) return
  const who = await session()
  const said = who && (await ask(listNotifications, {}, who.token))
  if (said) await settleBy(desktop, said)
}
