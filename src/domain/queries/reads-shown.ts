// Whether the page displays data of the server.
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { countUnread } from '#contract/notifications/notifications.ts'
import { cacheIfLoaded } from './lazy-query-cache.ts'

/** Whether a cached query is displayed, other than the count of unread notifications. */
const hasDisplayedData = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(
      ({ meta, queryKey, state }) =>
        meta?.['cached'] && queryKey[0] !== countUnread.name && state.data !== undefined,
    )

export function useReadsShown(): boolean {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isUnmounted = false
    void cacheIfLoaded()?.then(({ queryClient }) => {
      if (isUnmounted) return
      // Deferred, since events may come while a page is rendered.
      const update = () => queueMicrotask(() => !isUnmounted && setShown(hasDisplayedData(queryClient)))
      stop = queryClient.getQueryCache().subscribe(update)
      update()
    })
    return () => {
      isUnmounted = true
      stop?.()
    }
  }, [])
  return shown
}
