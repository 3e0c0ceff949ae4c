// Routes of authors whose content is held, and of creators who review comments.
import type { FastifyInstance } from 'fastify'
import { listHeldComments, reviewHeldComment } from '#contract/moderation/held-comments.ts'
import { listOwnHolds } from '#contract/moderation/holds.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { approveHold } from '#server/services/holds/hold.ts'
import { beginning } from '#server/services/notifications/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import {
  endHold,
  findOpenHold,
  listHeldFor,
  listHoldsOf,
  lockComment,
  type OwnHoldRow,
} from '#server/store/moderation/holds.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { findPeople } from '#server/store/people/people.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { markCommentDeleted } from '#server/store/reactions/comments.ts'

const PAGE = 20

export function holdRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  memberRoute(app, listOwnHolds, async ({ viewer, query }) => {
    const rows = await listHoldsOf(db, viewer.id, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ createdAt: at, id }) => ({ at, id }))
    return { holds: shown.map(ownView), next }
  })

  memberRoute(app, listHeldComments, async ({ viewer, query }) => {
    const rows = await listHeldFor(db, viewer.id, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ hold }) => ({ at: hold.createdAt, id: hold.id }))
    const ids = shown.map(({ comment }) => comment.authorId)
    const people = await findPeople(db, ids)
    const blocked = await blockedAmong(db, viewer.id, ids)
    const comments = shown.flatMap(({ hold, comment }) => {
      const author = people.get(comment.authorId)
      // Comments of people who are blocked or away wait unseen; they can be shown to no one.
      if (!author || author.state !== 'present' || blocked.has(author.id)) return []
      return {
        id: comment.id,
        post_id: comment.postId,
        author: personView(author),
        content: comment.content,
        reason: hold.reason,
        word: hold.word,
        created_at: hold.createdAt.toISOString(),
      }
    })
    return { comments, next }
  })

  memberRoute(
    app,
    reviewHeldComment,
    async ({ viewer, params, body }) => {
      await review(deps, viewer.id, params.comment_id, body.show)
      return { shown: body.show }
    },
    { rateLimit: perPerson(settings.limits.comments) },
  )
}

const ownView = (it: OwnHoldRow) => ({
  id: it.id,
  kind: it.targetKind,
  post_id: it.postId,
  excerpt: beginning(it.text ?? '') ?? '',
  reason: it.reason,
  word: it.reviewer === 'staff' ? it.word : '',
  reviewer: it.reviewer,
  state: it.state,
  created_at: it.createdAt.toISOString(),
  ended_at: it.endedAt?.toISOString() ?? null,
})

/**
 * Shows or deletes a held comment for the author of its post, once.
 * @throws ApiError `not_found` for a comment below a post of another person, or one that staff review
 */
function review({ transaction, clock }: Deps, viewerId: string, id: string, show: boolean): Promise<void> {
  const now = clock()
  return transaction(async (unit) => {
    const { tx } = unit
    const comment = await lockComment(tx, id)
    const post = comment && (await findPost(tx, comment.postId))
    if (!comment || post?.authorId !== viewerId) throw new ApiError('not_found')
    const thing = { targetKind: 'comment', targetId: id } as const
    const hold = await findOpenHold(tx, thing)
    if (!hold) throw new ApiError('gone')
    if (hold.reviewer !== 'creator') throw new ApiError('not_found')
    if (show) return void (await approveHold(unit, thing, now))
    await endHold(tx, thing, 'removed', now)
    await markCommentDeleted(tx, id, 'post_author', now)
  })
}
