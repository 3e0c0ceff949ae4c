// The server's number of unread notifications.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { isLater } from '#contract/count-version.ts'
import { countUnread, type UnreadCount } from '#contract/notifications/notifications.ts'
import { replaceData, queryFor } from '#src/domain/queries/query.ts'

const POLL_INTERVAL = 60_000

export const unreadQuery = queryOptions({
  ...queryFor(countUnread, {}),
  staleTime: 5000,
  // Events are missed while the connection is not open.
  refetchInterval: POLL_INTERVAL,
})

/** Shows a number of the server, unless a later one is shown. */
export function applyUnread(client: QueryClient, now: UnreadCount): void {
  if (isLater(now, client.getQueryData(unreadQuery.queryKey) ?? {}))
    void replaceData(client, unreadQuery.queryKey, now)
}
