// Reading comments and replies: pages that go on both ways, and what changes in them without asking the server again.
import {
  infiniteQueryOptions,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { type CommentView, listComments, listReplies, type ShownComment } from '#contract/comments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#src/lib/api.ts'

/** Where a page begins; see the contract's `pageQuery`. */
type Start = { cursor: string } | { before: string } | { around: string } | Record<never, never>

interface Page {
  comments: CommentView[]
  next: string | null
  previous: string | null
}

const begin = (around: string | undefined): Start => (around === undefined ? {} : { around })
const ends = {
  getNextPageParam: ({ next }: Page): Start | null => (next === null ? null : { cursor: next }),
  getPreviousPageParam: ({ previous }: Page): Start | null =>
    previous === null ? null : { before: previous },
}

/** Comments on a post, newest first; `around` a comment, the page that holds it comes first. */
export function threadsQuery(postId: string, around: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [listComments.name, 'pages', { postId, around }],
    queryFn: ({ signal, pageParam }) =>
      call(listComments, { params: { post_id: postId }, query: pageParam }, signal),
    initialPageParam: begin(around),
    ...ends,
  })
}

/** Replies to a comment, oldest first. */
export function repliesQuery(commentId: string, around: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [listReplies.name, 'pages', { commentId, around }],
    queryFn: ({ signal, pageParam }) =>
      call(listReplies, { params: { comment_id: commentId }, query: pageParam }, signal),
    initialPageParam: begin(around),
    ...ends,
  })
}

/** Every comment of some pages, each once: one that was written here may come again with its page. */
export function commentsIn(pages: readonly Page[]): CommentView[] {
  const byId = new Map(pages.flatMap((page) => page.comments).map((it) => [it.id, it]))
  return [...byId.values()]
}

/** Whether the first page was asked for around a comment that is not there for this viewer. */
export function isLost(pages: readonly ReplyOf<typeof listComments>[]): boolean {
  return pages.some((page) => page.thread === null)
}

type Cached = InfiniteData<Page> | undefined
const all = (data: Cached, change: (comments: CommentView[], page: number) => CommentView[]): Cached =>
  data && { ...data, pages: data.pages.map((page, i) => ({ ...page, comments: change(page.comments, i) })) }

const keys: QueryKey[] = [[listComments.name], [listReplies.name]]

/** Changes a comment wherever it stands; `undefined` takes it out. */
export function changeComment(
  queryClient: QueryClient,
  id: string,
  change: (comment: CommentView) => CommentView | undefined,
): void {
  for (const queryKey of keys)
    queryClient.setQueriesData<InfiniteData<Page>>({ queryKey }, (data) =>
      all(data, (comments) =>
        comments.some((it) => it.id === id)
          ? comments.flatMap((it) => (it.id === id ? (change(it) ?? []) : it))
          : comments,
      ),
    )
}

/** The same for what it says, where it was not deleted. */
export function changeShown(
  queryClient: QueryClient,
  id: string,
  change: (body: ShownComment) => ShownComment,
): void {
  changeComment(queryClient, id, (it) => (it.body.is === 'shown' ? { ...it, body: change(it.body) } : it))
}

interface ThreadsKey {
  postId: string
}
interface RepliesKey {
  commentId: string
}

/** A comment that was just written stands where its readers will find it: on top, or last among its replies. */
export function insertComment(queryClient: QueryClient, comment: CommentView): void {
  const { parent_id: parent, post_id: post } = comment
  const [name, fits] =
    parent === null
      ? [listComments.name, (key: unknown) => (key as ThreadsKey).postId === post]
      : [listReplies.name, (key: unknown) => (key as RepliesKey).commentId === parent]
  queryClient.setQueriesData<InfiniteData<Page>>(
    { predicate: ({ queryKey }) => queryKey[0] === name && fits(queryKey[2]) },
    (data) =>
      all(data, (comments, i) => {
        const others = comments.filter((it) => it.id !== comment.id)
        if (parent === null) return i === 0 ? [comment, ...others] : others
        return i === (data?.pages.length ?? 0) - 1 ? [...others, comment] : others
      }),
  )
  if (parent !== null) changeComment(queryClient, parent, (it) => ({ ...it, replies: it.replies + 1 }))
}

/** A deleted comment keeps its place while replies stand below it. */
export function removeComment(queryClient: QueryClient, comment: CommentView): void {
  changeComment(queryClient, comment.id, (it) =>
    it.replies > 0 ? { ...it, deletable: false, body: { is: 'deleted' } } : undefined,
  )
  if (comment.parent_id !== null)
    changeComment(queryClient, comment.parent_id, (it) => ({ ...it, replies: Math.max(0, it.replies - 1) }))
}
