// Feed: one of home's feeds, with a button and a pull for new posts.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import { feedQuery, headOf } from '#src/domain/posts/feeds.ts'
import { feedText } from './text.ts'
import { PullToRefresh } from '#src/ui/states/pull-to-refresh.tsx'
import { NewerPill } from './newer-pill.tsx'
import { useRefresh } from './use-refresh.ts'

/** `children`: the list itself. */
export function Feed({ kind, children }: { kind: FeedKind; children: ReactNode }) {
  const { data, dataUpdatedAt } = useInfiniteQuery(feedQuery(kind))
  const { busy, refresh } = useRefresh(kind)
  return (
    <>
      <PullToRefresh busyLabel={feedText.refreshing} onRefresh={refresh} />
      {data && (
        <NewerPill
          kind={kind}
          head={headOf(data)}
          readAt={dataUpdatedAt}
          busy={busy}
          onPress={() => void refresh()}
        />
      )}
      {children}
    </>
  )
}
