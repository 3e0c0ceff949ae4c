// Changes comments in the query cache without a request.
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { isLater } from '#contract/count-version.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type addComment, type CommentView, listComments, listReplies } from '#contract/posts/comments.ts'
import type { likePost } from '#contract/posts/likes.ts'
import { getPost } from '#contract/posts/posts.ts'
import { changeData, queriesOf } from '#src/domain/queries/query.ts'
import { applyCounts } from './post-cache.ts'

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
): void {
  for (const queryKey of keys)
    changeData<InfiniteData<CommentPage>>(queryClient, { queryKey }, (data) =>
      mapPages(data, (comments) =>
        comments.some((it) => it.id === id)
          ? comments.flatMap((it) => (it.id === id ? (change(it) ?? []) : it))
          : comments,
      ),
    )
}

/** Writes likes and replies of a moment into every copy of a comment that is not later. Earlier servers send only the likes. */
export function applyReactions(
  queryClient: QueryClient,
  id: string,
  now: ReplyOf<typeof likePost>['data'],
): void {
  const { liked, likes, replies, version } = now
  changeComment(queryClient, id, (it) => {
    if (!isLater(now, it)) return it
    const body = it.body.is === 'shown' ? { ...it.body, liked, likes } : it.body
    return { ...it, replies: replies ?? it.replies, version: version ?? it.version, body }
  })
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

/** Writes the counts that a written or deleted comment changed. Earlier servers send none: then they are read again. */
export function applyEffects(
  queryClient: QueryClient,
  { post_id: id, parent_id: parentId }: Pick<CommentView, 'post_id' | 'parent_id'>,
  { post, parent }: Pick<ReplyOf<typeof addComment>, 'post' | 'parent'>,
): void {
  if (post) applyCounts(queryClient, id, post)
  else for (const it of [getPost, listComments]) void queryClient.invalidateQueries(queriesOf(it))
  if (parent && parentId !== null) applyReactions(queryClient, parentId, parent)
}

/** Removes a comment; one with replies is shown as deleted. */
export function removeComment(queryClient: QueryClient, comment: CommentView): void {
  changeComment(queryClient, comment.id, (it) =>
    it.replies > 0 ? { ...it, deletable: false, body: { is: 'deleted' } } : undefined,
  )
}
