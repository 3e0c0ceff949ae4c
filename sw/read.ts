// Marks a notification as read when its button is pressed, without opening a window.
import type { Mutation } from '#contract/mutations/mutations.ts'
import { readNotifications } from '#contract/notifications/notifications.ts'
import type { Session } from '#device/database/schema.ts'
import type { ApiCall } from './api-call.ts'
import type { NoticeData } from './windows.ts'

export interface ReadPorts {
  readonly callApi: ApiCall
  readonly session: () => Promise<Session | undefined>
  readonly badge: (unread: number) => Promise<void>
  /** Stores the mutation, which is sent when there is a network. */
  readonly store: (userId: string, mutation: Mutation) => Promise<void>
}

/** Marks the notification behind a notice as read, if its recipient is still signed in on this device. */
export function markRead({ callApi, session, badge, store }: ReadPorts): (data: NoticeData) => Promise<void> {
  return async ({ notification_id: id, user_id: userId }) => {
    const signedIn = await session()
    if (id === undefined || !signedIn || signedIn.user.id !== userId) return
    const body = { ids: [id] }
    const reply = await callApi(readNotifications, { body }, signedIn.token)
    if (reply) await badge(reply.unread)
    else await store(userId, { name: 'readNotifications', params: {}, body })
  }
}
