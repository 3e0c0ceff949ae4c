// Marks a notification as read from its action, without opening a window.
import type { Mutation } from '#contract/mutations/mutations.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'
import type { NoticeData } from './windows.ts'

export interface ReadPorts {
  readonly ask: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly badge: (unread: number) => Promise<void>
  /** Keeps the mark until there is a network. */
  readonly later: (userId: string, mutation: Mutation) => Promise<void>
}

/** Marks the notification behind a notice as read, if its recipient is still signed in here. */
export function markRead({ ask, session, badge, later }: ReadPorts): (data: NoticeData) => Promise<void> {
  return async ({ notification_id: id, user_id: userId }) => {
    const who = await session()
    if (id === undefined || !who || who.user.id !== userId) return
    const body = { ids: [id] }
    const said = await ask(readNotifications, { body }, who.token)
    if (said) await badge(said.unread)
    else await later(userId, { name: 'readNotifications', params: {}, body })
  }
}
