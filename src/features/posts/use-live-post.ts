// useLivePost: updates likes and comments of an open post by live events.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { postChannel } from '#contract/realtime/channels.ts'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { changePostIn, setComments } from '#src/domain/posts/post-cache.ts'
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
    const refetchComments = createCallLimiter(MIN_INTERVAL, () => {
      void client.invalidateQueries(queriesOf(listComments))
      void client.invalidateQueries(queriesOf(listReplies))
    })
    const channel = postChannel(id)
    const stops = [
      listen(channel, 'likes.changed', ({ likes }) =>
        changePostIn(client, id, (post) => ({ ...post, counts: { ...post.counts, likes } })),
      ),
      listen(channel, 'comments.changed', ({ comments }) => {
        setComments(client, id, comments)
        refetchComments.call()
      }),
      onRecovered(refetchComments.call),
      refetchComments.cancel,
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, id, open])
}
