// Queries of comments and replies, with pages in both directions.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { type CommentView, listComments, listReplies } from '#contract/posts/comments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { readThroughCache } from '#src/domain/offline/cached-reads.ts'
import { call } from '#src/domain/api/api.ts'
import type { CommentPage as Page } from '#src/domain/posts/comment-cache.ts'

/** The start of a page; see the contract's `pageQuery`. */
type Start = { cursor: string } | { before: string } | { around: string } | Record<never, never>

const startAt = (around: string | undefined): Start => (around === undefined ? {} : { around })
const ends = {
  getNextPageParam: ({ next }: Page): Start | null => (next === null ? null : { cursor: next }),
  getPreviousPageParam: ({ previous }: Page): Start | null =>
    previous === null ? null : { before: previous },
}

/** Comments of a post, newest first. With `around`, the first page contains that comment. */
export function threadsQuery(postId: string, around: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [listComments.name, 'pages', { postId, around }],
    queryFn: (context) =>
      readThroughCache(listComments, context, () =>
        call(listComments, { params: { post_id: postId }, query: context.pageParam }, context.signal),
      ),
    meta: { cached: listComments.cached },
    initialPageParam: startAt(around),
    ...ends,
  })
}

/** Replies to a comment, oldest first. */
export function repliesQuery(commentId: string, around: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [listReplies.name, 'pages', { commentId, around }],
    queryFn: (context) =>
      readThroughCache(listReplies, context, () =>
        call(listReplies, { params: { comment_id: commentId }, query: context.pageParam }, context.signal),
      ),
    meta: { cached: listReplies.cached },
    initialPageParam: startAt(around),
    ...ends,
  })
}

/** The comments of pages, each once, since a written comment may also be in a later page. */
export function commentsIn(pages: readonly Page[]): CommentView[] {
  const byId = new Map(pages.flatMap((page) => page.comments).map((it) => [it.id, it]))
  return [...byId.values()]
}

/** Whether the first page was requested around a comment that this viewer cannot see. */
export function isLost(pages: readonly ReplyOf<typeof listComments>[]): boolean {
  return pages.some((page) => page.thread === null)
}
