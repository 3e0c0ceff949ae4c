// Routes of comments and replies: pages, writing and deletion.
import type { FastifyInstance } from 'fastify'
import { addComment, deleteComment, listComments, listReplies } from '#contract/posts/comments.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Db } from '#server/store/database.ts'
import { factsOfComment } from '#server/store/reactions/comment-facts.ts'
import { type CommentPage, commentPages, type CommentStart } from '#server/store/reactions/comment-pages.ts'
import { type CommentRow, findComment } from '#server/store/reactions/comments.ts'
import { commentReactionsOf, postReactionsOf } from '#server/store/reactions/counts.ts'
import type { Onlooker } from '#server/services/posts/post-decision.ts'
import { viewComments } from './comment-view.ts'
import { isShown, readableComment, readablePost } from './readable.ts'
import { removeComment, writeComment } from './write.ts'

const pageOf = commentPages(20)

export function commentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps

  memberRoute(app, listComments, async ({ viewer, params, query }) => {
    const post = await readablePost(deps, viewer, params.post_id)
    const thread =
      query.around === undefined ? undefined : await threadOf(deps, viewer, post.id, query.around)
    const start: CommentStart = thread ? { is: 'at', place: placeOfRow(thread) } : startOf(query)
    const page = await pageOf(db, viewer.id, { of: 'post', id: post.id }, start)
    return {
      comments: await viewComments(db, viewer, post, page.rows),
      ...cursorsOf(page),
      ...(query.around !== undefined && { thread: thread?.id ?? null }),
    }
  })

  memberRoute(app, listReplies, async ({ viewer, params, query }) => {
    const { comment, post } = await readableComment(deps, viewer, params.comment_id)
    const target = query.around === undefined ? undefined : await findComment(db, query.around)
    const start: CommentStart =
      target?.parentId === comment.id ? { is: 'at', place: placeOfRow(target) } : startOf(query)
    const page = await pageOf(db, viewer.id, { of: 'comment', id: comment.id }, start)
    return { comments: await viewComments(db, viewer, post, page.rows), ...cursorsOf(page) }
  })

  memberRoute(
    app,
    addComment,
    async ({ viewer, params, body, request }) => {
      const { comment, post } = await writeComment(deps, { viewer, request }, params.post_id, body)
      const facts = await factsOfComment(db, viewer.id, comment.id)
      const [view] = facts ? await viewComments(db, viewer, post, [facts]) : []
      if (!view) throw new Error('the comment that was just written was not found')
      const effects = await effectsOf(db, viewer.id, comment)
      return { ...view, ...effects }
    },
    { rateLimit: perPerson(settings.limits.comments) },
  )

  memberRoute(
    app,
    deleteComment,
    async ({ viewer, params, request }) => {
      const comment = await removeComment(deps, { viewer, request }, params.comment_id)
      // Who no longer sees the post learns none of its numbers.
      const isReadable = await readablePost(deps, viewer, comment.postId).catch(ifRefused)
      return { data: { id: comment.id, ...(isReadable && (await effectsOf(db, viewer.id, comment))) } }
    },
    { rateLimit: perPerson(settings.limits.comments) },
  )
}

/** The counts that a comment changed, as they are after the commit. */
async function effectsOf(db: Db, viewerId: string, { postId, parentId }: CommentRow) {
  const [post, parent] = await Promise.all([
    postReactionsOf(db, postId, viewerId),
    parentId === null ? undefined : commentReactionsOf(db, parentId, viewerId),
  ])
  return { post, ...(parent && { parent }) }
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

const placeOfRow = (row: Pick<CommentRow, 'createdAt' | 'id'>) => ({ at: row.createdAt, id: row.id })

function startOf(query: { cursor?: string | undefined; before?: string | undefined }): CommentStart {
  const [before, after] = [timeCursor.read(query.before, 'before'), timeCursor.read(query.cursor)]
  if (before) return { is: 'before', place: before }
  return after ? { is: 'after', place: after } : { is: 'first' }
}

function cursorsOf({ rows, hasNext, hasPrevious }: CommentPage): {
  next: string | null
  previous: string | null
} {
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    next: hasNext && last ? timeCursor.write(placeOfRow(last)) : null,
    previous: hasPrevious && first ? timeCursor.write(placeOfRow(first)) : null,
  }
}

/** The requested comment, or the parent of the requested reply; undefined when the viewer cannot see it. */
async function threadOf(
  deps: Deps,
  viewer: Onlooker | null,
  postId: string,
  around: string,
): Promise<CommentRow | undefined> {
  const target = await findComment(deps.db, around)
  if (!target || target.postId !== postId || target.deletedAt !== null) return undefined
  if (!(await isShown(deps, viewer, target))) return undefined
  return target.parentId === null ? target : findComment(deps.db, target.parentId)
}
