// PostList: a feed that goes on as one scrolls. Only what is near the screen stands in the page, however long it is.
import { memo, useEffect, type ReactNode } from 'react'
import type { PostView } from '#contract/posts/posts.ts'
import { type LongList, readOn } from '#src/domain/queries/query.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { PostCard } from './post-card.tsx'
import { PostSkeleton } from './post-skeleton.tsx'
import { isProcessing, roughHeight, useFresh } from './posts.ts'
import { useRows, type RowSize } from './use-rows.ts'

/** What an infinite query over posts gives. */
export interface PostPages extends LongList {
  isPending: boolean
  data: { pages: readonly { posts: readonly PostView[] }[] } | undefined
  error: Error | null
  hasNextPage: boolean
  isFetchNextPageError: boolean
  refetch: () => Promise<unknown>
}

interface PostListProps {
  feed: PostPages
  /** Under this name the place in it is kept. */
  name: string
  label: string
  /** Comes back to where one was, by whatever way; else the address decides. */
  returns?: boolean
  /** On the author's own page the gate does not lead there. */
  onAuthorPage?: boolean
  /** Stands over the posts, in the list. */
  above?: readonly (RowSize & { node: ReactNode })[]
  empty: ReactNode
  /** Stands where nothing could be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

export function PostList(props: PostListProps) {
  const { feed } = props
  if (feed.isPending) return <PostSkeleton count={3} />
  if (!feed.data) return props.failed(feed.error, () => feed.refetch())
  const posts = feed.data.pages.flatMap((page) => page.posts)
  const above = props.above ?? []
  if (posts.length + above.length === 0 && !feed.hasNextPage) return props.empty
  return (
    <Rows
      {...props}
      above={above}
      posts={posts}
      more={{
        is: !feed.hasNextPage ? 'end' : feed.isFetchNextPageError ? 'failed' : 'more',
        busy: feed.isFetchingNextPage,
        waits: feed.isFetching,
        error: feed.error,
        get: () => void readOn(feed),
      }}
    />
  )
}

interface More {
  is: 'end' | 'failed' | 'more'
  busy: boolean
  /** Something of the list is being read by now. */
  waits: boolean
  error: Error | null
  get: () => void
}

interface RowsProps extends PostListProps {
  above: NonNullable<PostListProps['above']>
  posts: readonly PostView[]
  more: More
}

function Rows({ name, label, returns = false, onAuthorPage = false, above, posts, more }: RowsProps) {
  const rows: RowSize[] = [...above, ...posts.map((post) => ({ key: post.id, rough: roughHeight(post) }))]
  const { list, shown, total, nearEnd, measure, onFocus } = useRows(rows, { name, returns })
  const wants = nearEnd && more.is === 'more' && !more.waits
  useEffect(() => {
    if (wants) more.get()
  })
  return (
    <>
      <div
        ref={list}
        role="feed"
        aria-label={label}
        aria-busy={more.busy}
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
      <Foot more={more} />
    </>
  )
}

interface PostProps {
  /** Undefined for the moment in which the list has become shorter than what was measured of it. */
  post: PostView | undefined
  first: boolean
  onAuthorPage: boolean
}

// The list is drawn anew as it scrolls; what a card shows changes with its post alone.
const Post = memo(({ post, ...rest }: PostProps) => {
  if (!post) return null
  return isProcessing(post) ? <FreshPost post={post} {...rest} /> : <PostCard post={post} {...rest} />
})

function FreshPost({ post, ...rest }: PostProps & { post: PostView }) {
  return <PostCard post={useFresh(post)} {...rest} />
}

function Foot({ more }: { more: More }) {
  if (more.is === 'end') return null
  if (more.is === 'failed' && !more.busy) return <NextFailed {...more} />
  return (
    <div className="flex justify-center py-6">
      <Button look="quiet" size="small" busy={more.busy} busyLabel={text.loading} onClick={more.get}>
        {text.posts.loadMore}
      </Button>
    </div>
  )
}

function NextFailed({ error, get }: More) {
  const code = error instanceof ApiFailure ? error.code : 'internal'
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="text-soft">{errorText[code]}</p>
      <Button look="quiet" size="small" onClick={get}>
        {text.retry}
      </Button>
    </div>
  )
}
