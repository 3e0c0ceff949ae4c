// PostList: a feed with infinite scrolling. Only rows near the screen are in the document.
import { memo, useEffect, type ReactNode } from 'react'
import type { PostView } from '#contract/posts/posts.ts'
import { loadMore, type PagedList } from '#src/domain/queries/load-more.ts'
import { fetchMore } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { useRows, type RowSize } from '#src/lib/use-rows.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { PostCard } from './post-card.tsx'
import { PostSkeleton } from './post-skeleton.tsx'
import { isProcessing, estimatedHeight, useFresh } from './posts.ts'

/** What an infinite query over posts gives. */
export interface PostPages extends PagedList {
  isPending: boolean
  data: { pages: readonly { posts: readonly PostView[] }[] } | undefined
  refetch: () => Promise<unknown>
}

interface PostListProps {
  feed: PostPages
  /** Name under which the position in it is stored. */
  name: string
  label: string
  /** Whether every visit restores the position; otherwise only going back does. */
  returns?: boolean
  /** Whether it is on the author's page, to which the gate then does not link. */
  onAuthorPage?: boolean
  /** Shown above the posts, in the list. */
  above?: readonly (RowSize & { node: ReactNode })[]
  empty: ReactNode
  /** Shown when nothing could be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

export function PostList(props: PostListProps) {
  const { feed } = props
  if (feed.isPending) return <PostSkeleton count={3} />
  if (!feed.data) return props.failed(feed.error, () => feed.refetch())
  const posts = feed.data.pages.flatMap((page) => page.posts)
  const above = props.above ?? []
  if (posts.length + above.length === 0 && !feed.hasNextPage) return props.empty
  return <Rows {...props} above={above} posts={posts} />
}

interface RowsProps extends PostListProps {
  above: NonNullable<PostListProps['above']>
  posts: readonly PostView[]
}

function Rows({ name, label, returns = false, onAuthorPage = false, feed, above, posts }: RowsProps) {
  const rows: RowSize[] = [
    ...above,
    ...posts.map((post) => ({ key: post.id, estimate: estimatedHeight(post) })),
  ]
  const { list, shown, total, nearEnd, measure, onFocus } = useRows(rows, { name, returns })
  const wants = nearEnd && feed.hasNextPage && !feed.isFetchNextPageError && !feed.isFetching
  useEffect(() => {
    if (wants) void fetchMore(feed)
  })
  return (
    <>
      <div
        ref={list}
        role="feed"
        aria-label={label}
        aria-busy={feed.isFetchingNextPage}
        onFocusCapture={onFocus}
        className="relative"
        style={{ height: total }}
      >
        {shown.map(({ index, key, start }) => (
          <div
            key={key}
            ref={measure}
            data-index={index}
            data-key={key}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            {above[index]?.node ?? (
              <Post post={posts[index - above.length]} first={index < 2} onAuthorPage={onAuthorPage} />
            )}
          </div>
        ))}
      </div>
      <LoadMore {...loadMore(feed, text.posts.loadMore)} />
    </>
  )
}

interface PostProps {
  /** Undefined while the list is already shorter than its measured rows. */
  post: PostView | undefined
  first: boolean
  onAuthorPage: boolean
}

// The list renders on scrolling; a card renders only when its post changes.
const Post = memo(({ post, ...rest }: PostProps) => {
  if (!post) return null
  return isProcessing(post) ? <FreshPost post={post} {...rest} /> : <PostCard post={post} {...rest} />
})

function FreshPost({ post, ...rest }: PostProps & { post: PostView }) {
  return <PostCard post={useFresh(post)} {...rest} />
}
