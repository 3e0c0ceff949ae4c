// Plan and priced posts require an approved identity check of their author (decision 051).
import type { PostType } from '#contract/posts/posts.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findPost } from '#server/store/posts/posts.ts'

/**
 * Checks that an author may publish a post of this type now.
 * @throws ApiError `identity_required` for types 2 and 3 without an approved identity check
 */
export async function mustBeIdentifiedFor(db: Db, authorId: string, type: PostType): Promise<void> {
  if (type !== 1 && !(await isIdentified(db, authorId))) throw new ApiError('identity_required')
}

/**
 * Checks that an author may release a post that was added earlier. A post that is already released passes.
 * @throws ApiError `identity_required`
 */
export async function mustBeIdentifiedToRelease(db: Db, postId: string, authorId: string): Promise<void> {
  const post = await findPost(db, postId)
  if (post?.authorId !== authorId || post.releasedAt !== null || post.heldAt !== null) return
  await mustBeIdentifiedFor(db, authorId, post.type)
}
