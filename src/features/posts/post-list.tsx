// PostList: a feed that goes on as one scrolls.
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ApiFailure } from '#src/lib/api.ts'
import { Button } from '#src/ui/button.tsx'
import { PostCard } from './post-card.tsx'
import { PostSkeleton } from './post-skeleton.tsx'
import { feedQuery } from './posts.ts'
import { text } from '#src/lib/text.ts'
import { errorText } from '#src/lib/text-errors.ts'

/** Pages are fetched when their end is this near. */
const AHEAD = '1200px'

export function PostList({ author, empty }: { author?: string; empty: ReactNode }) {
  const feed = useSuspenseInfiniteQuery(feedQuery(author))
  const posts = feed.data.pages.flatMap((page) => page.posts)
  if (posts.length === 0) return empty
  return (
    <>
      {posts.map((post, i) => (
        <PostCard key={post.id} post={post} first={i < 2} onAuthorPage={author !== undefined} />
      ))}
      {feed.isFetchingNextPage && <PostSkeleton />}
      {feed.isFetchNextPageError && !feed.isFetchingNextPage && (
        <NextFailed error={feed.error} onRetry={() => void feed.fetchNextPage()} />
      )}
      {feed.hasNextPage && !feed.isFetchingNextPage && !feed.isFetchNextPageError && (
        <End onReach={() => void feed.fetchNextPage()} />
      )}
    </>
  )
}

/** The end of what is loaded: coming near it asks for more, and so does its button. */
function End({ onReach }: { onReach: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const reach = useEffectEvent(onReach)
  useEffect(() => {
    const element = end.current
    if (!element) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) reach()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={end} className="flex justify-center py-6">
      <Button look="quiet" size="small" onClick={onReach}>
        {text.posts.loadMore}
      </Button>
    </div>
  )
}

function NextFailed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const code = error instanceof ApiFailure ? error.code : 'internal'
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="text-soft">{errorText[code]}</p>
      <Button look="quiet" size="small" onClick={onRetry}>
        {text.retry}
      </Button>
    </div>
  )
}
