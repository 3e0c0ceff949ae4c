// The query of own broadcasts, which polls while one is being delivered.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { listBroadcasts } from '#contract/messages/broadcasts.ts'
import { pagesFor } from '#src/domain/queries/query.ts'

/** Polling interval while a broadcast is being delivered, ms. */
const POLL_MS = 3000

export const broadcastsQuery = infiniteQueryOptions({
  ...pagesFor(listBroadcasts, {}),
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.broadcasts.some((it) => it.state === 'delivering'))
      ? POLL_MS
      : false,
})
