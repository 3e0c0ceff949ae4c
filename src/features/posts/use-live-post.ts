// useLivePost: updates likes and comments of an open post by live events.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { postChannel } from '#contract/realtime/channels.ts'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { holdCounts } from '#src/domain/mutations/hold-counts.ts'
import { applyCounts, type CountsNow } from '#src/domain/posts/post-cache.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { listen, onRecovered } from '#src/domain/realtime/realtime.ts'

/** Shortest interval between requests of a post's comments, ms. */
const MIN_INTERVAL = 2000

/** @param open whether the viewer has full access; others may not subscribe */
export function useLivePost(id: string, open: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!open) return undefined
    const counts = holdCounts<CountsNow>(aboutOf({ name: 'likePost', params: { post_id: id } }), (now) =>
      applyCounts(client, id, now),
    )
    const refetchComments = createCallLimiter(MIN_INTERVAL, () => {
      void client.invalidateQueries(queriesOf(listComments))
      void client.invalidateQueries(queriesOf(listReplies))
    })
    const channel = postChannel(id)
    const stops = [
      listen(channel, 'likes.changed', counts.take),
      counts.stop,
      listen(channel, 'comments.changed', (now) => {
        counts.take(now)
        refetchComments.call()
      }),
      onRecovered(refetchComments.call),
      refetchComments.cancel,
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, id, open])
}
