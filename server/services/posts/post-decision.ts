// Applies the access policy to each post of a list.
import { ageOn } from '#contract/rules.ts'
import {
  accessTo,
  type Entitlements,
  type PostAccess,
  type ShareablePost,
  viewerOf,
} from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { factsOfPosts, type PostFacts } from '#server/store/posts/post-facts.ts'

/** The fields of a viewer that views need. */
export interface Onlooker {
  readonly id: string
  readonly birthDate: string
}

/** A post with what a viewer may see of it. */
export interface Decided<Access extends PostAccess = Listed> {
  readonly post: PostFacts
  readonly guarded: ShareablePost
  readonly decision: Access
}

/** What lists show, and what can be reacted to. */
type Listed = Exclude<PostAccess, { is: 'hidden' | 'kept' }>
/** What the page of one post shows. */
export type Readable = Exclude<PostAccess, { is: 'hidden' }>

/** What the viewer may see of each of these posts. Hidden posts, and those that are only kept for their buyer, are left out. */
export function decide(viewer: Onlooker | null, posts: readonly PostFacts[], now: number): Decided[] {
  return decideReadable(viewer, posts, now).flatMap(({ decision, ...it }) =>
    decision.is === 'kept' ? [] : [{ ...it, decision }],
  )
}

/** As `decide`, with the posts that are kept for their buyer: for the page of one post, and reports. */
export function decideReadable(
  viewer: Onlooker | null,
  posts: readonly PostFacts[],
  now: number,
): Decided<Readable>[] {
  const member = viewer && { id: viewer.id, age: ageOn(viewer.birthDate, now) }
  return posts.flatMap((post) => {
    const guarded = guardedOf(post)
    const decision = accessTo(viewerOf(member, entitlementsOf(post)), guarded)
    return decision.is === 'hidden' ? [] : [{ post, guarded, decision }]
  })
}

/** The post in the form that the access policy takes. */
export function guardedOf(post: PostFacts): ShareablePost {
  return {
    ...post,
    released: post.releasedAt !== null,
    deleted: post.deletedAt !== null,
    authorState: post.author.state,
    planIds: post.plans.map((plan) => plan.id),
  }
}

/** The entitlements of the member for whom the facts were read. */
function entitlementsOf({ plans, bought, showsAgeLimited, blocked }: PostFacts): Entitlements {
  const joined = plans.filter((plan) => plan.joined)
  return { joinedPlans: new Set(joined.map((plan) => plan.id)), bought, showsAgeLimited, blocked }
}

/** What the viewer may see of one post; undefined when it is hidden or does not exist. */
export async function decisionOn(
  db: Db,
  viewer: Onlooker | null,
  postId: string,
  now: number,
): Promise<Decided | undefined> {
  return decide(viewer, await factsOfPosts(db, viewer?.id, [postId], now), now)[0]
}

/** What the viewer may read of one post, also of one that is kept for its buyer; undefined when it is hidden or does not exist. */
export async function readingOf(
  db: Db,
  viewer: Onlooker | null,
  postId: string,
  now: number,
): Promise<Decided<Readable> | undefined> {
  return decideReadable(viewer, await factsOfPosts(db, viewer?.id, [postId], now), now)[0]
}
