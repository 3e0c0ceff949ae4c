// The shown number of unread notifications: updated live, polled, and less by marks at once.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import { aboutOf } from '#contract/mutations/mutations.ts'
import type { readNotifications, UnreadCount } from '#contract/notifications/notifications.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { applyUnread, unreadQuery } from '#src/domain/notifications/unread.ts'
import { listen } from '#src/domain/realtime/realtime.ts'
import { holdCounts } from './hold-counts.ts'
import { useOpenMutations } from './mutations.ts'
import type { ShownMutation } from './shown-mutations.ts'

const marks = aboutOf({ name: 'readNotifications', params: {} })

/**
 * The number of unread notifications, less those of marks that wait for their reply; 0 until it is read. While one waits nothing
 * is read, since the reply would not say whether it includes the mark.
 */
export function useUnread(): number {
  const open = useOpenMutations(marks)
  const enabled = ({ state }: { state: { data: unknown } }) => open.length === 0 || state.data === undefined
  const { data } = useQuery({ ...unreadQuery, enabled })
  return unreadAfter(open, data?.unread ?? 0)
}

/** What unanswered marks leave of a number that includes none of them. */
export const unreadAfter = (open: readonly Pick<ShownMutation, 'mutation'>[], unread: number): number =>
  open.reduce((left, { mutation }) => {
    const { ids } = mutation.body as BodyOf<typeof readNotifications>
    return ids ? Math.max(0, left - ids.length) : 0
  }, unread)

/** Receives updates while the app is open. */
export function useLiveUnread(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const counts = holdCounts<UnreadCount>(marks, (now) => applyUnread(client, now))
    let messages = Number.POSITIVE_INFINITY
    const stops = [
      listen(personChannel(me), 'messages.unread', ({ count }) => {
        // Conversations were read, here or on another device, so their desktop notices are closed.
        if (count < messages) noticesPort.read([])
        messages = count
      }),
      listen(personChannel(me), 'notifications.changed', counts.take),
      counts.stop,
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, me])
}
