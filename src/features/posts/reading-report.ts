// Reports that a post is on the screen, and that its video was watched.
import { useEffect } from 'react'
import { reportReading } from '#contract/analytics/readings.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { call } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { isoDay } from '#src/lib/format.ts'

type What = BodyOf<typeof reportReading>['what']

/** Reports that this page has sent, so that it sends each once a day. */
const sent = new Set<string>()

/** A failure is ignored: the post is shown in any case, and a reading without network is not counted. */
function report(viewerId: string, post: PostView, what: What): void {
  const key = [viewerId, post.id, post.access.is, what, isoDay(Date.now())].join(' ')
  if (sent.has(key)) return
  sent.add(key)
  call(reportReading, { params: { post_id: post.id }, body: { what } }).catch(() => sent.delete(key))
}

/**
 * Reports the post once it is visible, not while its tab is in the background.
 * @returns reports that its video was watched
 */
export function useReadingReport(post: PostView): () => void {
  const viewerId = useMember()?.id
  const isCounted = viewerId !== undefined && viewerId !== post.author.id
  useEffect(() => {
    if (!isCounted) return undefined
    const look = () => {
      if (document.visibilityState === 'visible') report(viewerId, post, 'opened')
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isCounted, viewerId, post])
  return () => {
    if (isCounted) report(viewerId, post, 'watched')
  }
}
