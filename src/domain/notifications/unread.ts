// The number of unread notifications: updated live, and polled once a minute.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { personChannel } from '#contract/realtime/channels.ts'
import { countUnread } from '#contract/notifications/notifications.ts'
import { noticesPort } from './notices-port.ts'
import { replaceData, queryFor } from '#src/domain/queries/query.ts'
import { listen } from '#src/domain/realtime/realtime.ts'

const POLL_INTERVAL = 60_000

export const unreadQuery = queryOptions({
  ...queryFor(countUnread, {}),
  staleTime: 5000,
  // Events are missed while the connection is not open.
  refetchInterval: POLL_INTERVAL,
})

/** The number of unread notifications; 0 until it is read. */
export function useUnread(): number {
  return useQuery(unreadQuery).data?.unread ?? 0
}

/** Receives updates while the app is open. */
export function useLiveUnread(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let messages = Number.POSITIVE_INFINITY
    const stops = [
      listen(personChannel(me), 'messages.unread', ({ count }) => {
        // Conversations were read, here or on another device, so their desktop notices are closed.
        if (count < messages) noticesPort.read([])
        messages = count
      }),
      listen(personChannel(me), 'notifications.changed', ({ unread }) => {
        void replaceData(client, unreadQuery.queryKey, { unread })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, me])
}
