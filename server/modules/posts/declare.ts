// Declares for an age-limited film, and shows the post that waited for it.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { allTextsOf } from '#server/rules/post-texts.ts'
import { operatorWordIn } from '#server/services/holds/found.ts'
import { approveHold, holdNext } from '#server/services/holds/hold.ts'
import { mediaLikeRemoved } from '#server/services/holds/removed-media.ts'
import { findOpenHold } from '#server/store/moderation/holds.ts'
import { addDeclaration, hasFilm } from '#server/store/posts/film-declarations.ts'
import { lockOwnPost } from '#server/store/posts/own-posts.ts'

/**
 * Stores the declaration, once. While a post waits for it, no other check has seen it: they come now.
 * @throws ApiError `not_found` unless it is an own released post with a video
 */
export function declareFlow(
  { transaction, clock, settings }: Deps,
  postId: string,
  authorId: string,
  version: number,
): Promise<void> {
  return transaction(async (unit) => {
    const { tx } = unit
    const post = await lockOwnPost(tx, postId, authorId)
    const isThere = post && post.deletedAt === null && (post.releasedAt !== null || post.heldAt !== null)
    if (!isThere || !(await hasFilm(tx, postId))) throw new ApiError('not_found')
    await addDeclaration(tx, postId, version, clock())
    const thing = { targetKind: 'post', targetId: postId } as const
    if ((await findOpenHold(tx, thing))?.reason !== 'undeclared') return
    const found =
      (await operatorWordIn(tx, allTextsOf(post))) ??
      (await mediaLikeRemoved(tx, postId, settings.help.removedMediaBits))
    if (found) await holdNext(unit, post, found, clock())
    else await approveHold(unit, thing, clock())
  })
}
