// What a post is sold for, if the buyer may buy it now.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Buyer, Offer } from '#server/services/payments/begin.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { holdPost } from '#server/store/payments/payments.ts'

/** @throws ApiError `not_found`, `already_bought`, `forbidden` */
export async function postOffer(
  tx: Db,
  { clock }: Pick<Deps, 'clock'>,
  buyer: Buyer,
  postId: string,
): Promise<Offer> {
  await holdPost(tx, postId)
  const decided = await decisionOn(tx, buyer, postId, clock())
  if (!decided) throw new ApiError('not_found')
  const { post, decision } = decided
  if (post.bought) throw new ApiError('already_bought')
  if (decision.is !== 'preview' || decision.wants !== 'purchase' || post.price === null)
    throw new ApiError('forbidden')
  if (!(await isIdentified(tx, post.authorId))) throw new ApiError('forbidden')
  return { creatorId: post.authorId, price: post.price }
}
