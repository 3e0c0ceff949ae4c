// Changes comments in the query cache without a request.
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import {
  type CommentCounts,
  type CommentView,
  listComments,
  listReplies,
  type ShownComment,
} from '#contract/posts/comments.ts'
import { getPost } from '#contract/posts/posts.ts'
import { changeData } from '#src/domain/queries/query.ts'
import { setComments } from './post-cache.ts'

export interface CommentPage {
  comments: CommentView[]
  next: string | null
  previous: string | null
}

type Cached = InfiniteData<CommentPage>
function mapPages(data: Cached, change: (comments: CommentView[], page: number) => CommentView[]): Cached {
  const lists = data.pages.map(({ comments }, i) => change(comments, i))
  if (lists.every((comments, i) => comments === data.pages[i]?.comments)) return data
  return { ...data, pages: data.pages.map((page, i) => ({ ...page, comments: lists[i] ?? [] })) }
}

const keys: QueryKey[] = [[listComments.name], [listReplies.name]]

/** Changes a comment in every list; `undefined` removes it. */
export function changeComment(
  queryClient: QueryClient,
  id: string,
  change: (comment: CommentView) => CommentView | undefined,
  options?: { isCount: boolean },
): void {
  for (const queryKey of keys)
    changeData<InfiniteData<CommentPage>>(
      queryClient,
      { queryKey },
      (data) =>
        mapPages(data, (comments) =>
          comments.some((it) => it.id === id)
            ? comments.flatMap((it) => (it.id === id ? (change(it) ?? []) : it))
            : comments,
        ),
      options,
    )
}

/**
 * Shows the numbers that the server has after a comment was added or deleted. No number is changed by one here: a live message
 * may have brought it already.
 * @param counts undefined where the server did not tell them: they are read again
 */
export function setCounts(
  queryClient: QueryClient,
  { post_id: post, parent_id: parent }: Pick<CommentView, 'post_id' | 'parent_id'>,
  counts: CommentCounts | undefined,
): void {
  if (!counts) {
    for (const it of [getPost, listComments]) void queryClient.invalidateQueries({ queryKey: [it.name] })
    return
  }
  const { comments, replies } = counts
  setComments(queryClient, post, comments)
  if (parent !== null && replies !== null)
    changeComment(queryClient, parent, (it) => ({ ...it, replies }), { isCount: true })
}

/** Changes the body of a comment that is not deleted. */
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

/** Inserts a new comment: first of all, or last among the replies. */
export function insertComment(queryClient: QueryClient, comment: CommentView): void {
  const { parent_id: parent, post_id: post } = comment
  const [name, fits] =
    parent === null
      ? [listComments.name, (key: unknown) => (key as ThreadsKey).postId === post]
      : [listReplies.name, (key: unknown) => (key as RepliesKey).commentId === parent]
  changeData<InfiniteData<CommentPage>>(
    queryClient,
    { predicate: ({ queryKey }) => queryKey[0] === name && fits(queryKey[2]) },
    (data) =>
      mapPages(data, (comments, i) => {
        const others = comments.filter((it) => it.id !== comment.id)
        if (parent === null) return i === 0 ? [comment, ...others] : others
        return i === data.pages.length - 1 ? [...others, comment] : others
      }),
  )
}

/** Removes a comment; one with replies is shown as deleted. */
export function removeComment(queryClient: QueryClient, comment: CommentView): void {
  changeComment(queryClient, comment.id, (it) =>
    it.replies > 0 ? { ...it, deletable: false, body: { is: 'deleted' } } : undefined,
  )
}
