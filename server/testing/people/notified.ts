// Reads notifications and live messages of people on a test server.
import { notificationText } from '#contract/notifications/notification-text.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import type { NotificationView } from '#contract/notifications/notifications.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import { recordingRealtime } from '#server/adapters/realtime/realtime.ts'
import { call, type Member } from './members.ts'
import type { World } from '#server/testing/world.ts'

/** A person's first page of notifications. */
export async function notificationRowsOf(world: World, who: Member): Promise<NotificationView[]> {
  return (await call(world, who, 'GET', '/notifications')).json().notifications
}

export async function unreadOf(world: World, who: Member): Promise<number> {
  return (await call(world, who, 'GET', '/notifications/unread')).json().unread
}

/** A person's notifications as text: sentence with `N` for the name, excerpt, and target. */
export async function notificationsOf(world: World, who: Member): Promise<string[]> {
  return (await notificationRowsOf(world, who)).map((it) => {
    const { title } = notificationText(it, { name: 'N', others: it.others })
    return `${title}${it.excerpt === null ? '' : `「${it.excerpt}」`} → ${targetOf(it)}`
  })
}

/** Records live messages, by the person to whom they are sent. */
export function recordLiveMessages() {
  const realtime = recordingRealtime()
  const to = (who: Member) => realtime.published.filter((it) => it.channel === personChannel(who.id))
  return { realtime, to }
}
