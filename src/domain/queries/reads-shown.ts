// Whether the page shows something that was read from the server.
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { countUnread } from '#contract/notifications/notifications.ts'
import { cacheIfLoaded } from './lazy-query-cache.ts'

/** The count of unread notifications is beside every page and not part of its content. */
const isRead = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(
      ({ meta, queryKey, state }) =>
        meta?.['kept'] && queryKey[0] !== countUnread.name && state.data !== undefined,
    )

export function useReadsShown(): boolean {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let stop: (() => void) | undefined
    let over = false
    void cacheIfLoaded()?.then(({ queryClient }) => {
      if (over) return
      // Called while a page is drawn; the banner follows it.
      const look = () => queueMicrotask(() => !over && setShown(isRead(queryClient)))
      stop = queryClient.getQueryCache().subscribe(look)
      look()
    })
    return () => {
      over = true
      stop?.()
    }
  }, [])
  return shown
}
