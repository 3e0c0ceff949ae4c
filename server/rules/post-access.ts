// The access policy: what a viewer may see of a post; denied by default.
import { MIN_AGE } from '#contract/limits.ts'
import type { PostType, Wants } from '#contract/posts/posts.ts'

/** A member's plans, purchase, settings and blocks that decide access to one post, as valid at this moment. */
export interface Entitlements {
  /** Plans whose membership opens the post, if the post is for that plan. */
  readonly joinedPlans: ReadonlySet<string>
  /** Whether the member has a purchase of the post without a refund. */
  readonly bought: boolean
  /** Whether the member has chosen to see age-limited posts. */
  readonly showsAgeLimited: boolean
  /** Whether the author is blocked for the member, in either direction. */
  readonly blocked: boolean
}

/** The viewer of one post. */
export type PostViewer =
  | { readonly is: 'visitor' }
  | ({ readonly is: 'member'; readonly id: string; readonly age: number } & Entitlements)

export type AuthorState = 'present' | 'leaving' | 'suspended' | 'gone'

export interface GuardedPost {
  readonly authorId: string
  readonly type: PostType
  readonly isAgeLimited: boolean
  readonly released: boolean
  readonly deleted: boolean
  /** State of the author's account. */
  readonly authorState: AuthorState
  /** Plans that open a type 2 post. */
  readonly planIds: readonly string[]
}

export type PostAccess =
  | { readonly is: 'full' }
  /** All of a bought post, and no reaction to it: author and buyer are blocked, or the author is gone. Lists leave it out. */
  | { readonly is: 'kept' }
  | { readonly is: 'preview'; readonly wants: Wants }
  | { readonly is: 'hidden' }

const full: PostAccess = { is: 'full' }
const kept: PostAccess = { is: 'kept' }
const hidden: PostAccess = { is: 'hidden' }
const preview = (wants: Wants): PostAccess => ({ is: 'preview', wants })

/**
 * Decides what a viewer may see of a post: feed, post page and every media file call it (specification sections 3 and 6).
 * A deleted post is hidden from all. One whose author is gone is shown only to those who have bought it; one whose author is
 * leaving or suspended, only to those who have paid for it. An unreleased post is shown only to its author. A post is hidden where author and viewer
 * are blocked, unless the viewer has bought it: what was bought stays (decision 138).
 * Visitors must sign in; `isOpen` decides what share cards and media addresses show them.
 * Age-limited posts are hidden from members under 18; other members must choose to see them (`wants: 'age'`).
 * Type 2 requires one of its plans, type 3 a purchase; authors see their own posts.
 *
 * Follows, mutes and roles do not matter: lists leave out posts of muted people, and admins read content by audited
 * routes.
 */
export function accessTo(viewer: PostViewer, post: GuardedPost): PostAccess {
  if (post.deleted || (post.authorState === 'gone' && !hasBought(viewer, post))) return hidden
  if (post.authorState !== 'present' && !isPaidFor(viewer, post)) return hidden
  if (viewer.is === 'member' && viewer.id === post.authorId) return full
  if (!post.released) return hidden
  if (viewer.is === 'visitor') return preview('sign_in')
  const isBought = hasBought(viewer, post)
  if (viewer.blocked && !isBought) return hidden
  if (post.isAgeLimited) {
    if (viewer.age < MIN_AGE) return hidden
    if (!viewer.showsAgeLimited) return preview('age')
  }
  switch (post.type) {
    case 1:
      return full
    case 2:
      return opensByPlan(viewer, post) ? full : preview('plan')
    case 3:
      if (!isBought) return preview('purchase')
      return viewer.blocked || post.authorState === 'gone' ? kept : full
    default:
      post.type satisfies never
      return hidden
  }
}

/** Whether a plan or a purchase of the viewer opens the post. */
const isPaidFor = (viewer: PostViewer, post: GuardedPost): boolean =>
  viewer.is === 'member' && (post.type === 2 ? opensByPlan(viewer, post) : hasBought(viewer, post))

const hasBought = (viewer: PostViewer, { type }: GuardedPost): boolean =>
  viewer.is === 'member' && type === 3 && viewer.bought

/** A post with its author's choice about share cards. */
export interface ShareablePost extends GuardedPost {
  /** Whether share cards may show the author's open posts (a setting, on by default). */
  readonly showsShareCard: boolean
}

/**
 * Whether a share card may show a post: visitors and crawlers then see its author, first lines and one picture, and its
 * media have plain addresses that shared caches may store (decisions 025 and 050). The full text, comments and lists still
 * require a signed-in person.
 */
export function isOpen(post: ShareablePost): boolean {
  const isVisible = post.released && !post.deleted && post.authorState === 'present'
  return isVisible && post.type === 1 && !post.isAgeLimited && post.showsShareCard
}

/**
 * Whether a viewer sees the open title and introduction of a post: with its text, and where a plan or a purchase would open it. They
 * follow the age limit as the text does.
 */
export function showsOpenTexts(
  decision: PostAccess,
  { isAgeLimited }: Pick<GuardedPost, 'isAgeLimited'>,
): boolean {
  if (decision.is !== 'preview') return decision.is !== 'hidden'
  return decision.wants === 'sign_in' ? !isAgeLimited : decision.wants !== 'age'
}

/** Whether a share card may show the title and introduction of a post that is closed to visitors. */
export const sharesOpenTexts = (post: ShareablePost): boolean =>
  post.showsShareCard && showsOpenTexts(accessTo({ is: 'visitor' }, post), post)

function opensByPlan(viewer: Extract<PostViewer, { is: 'member' }>, post: GuardedPost): boolean {
  return post.planIds.some((id) => viewer.joinedPlans.has(id))
}

/**
 * Makes the viewer of one post.
 * @param member the signed-in person, or null for a visitor; `age` in whole years
 * @param has the member's entitlements to that post
 */
export function viewerOf(
  member: { readonly id: string; readonly age: number } | null,
  { joinedPlans, bought, showsAgeLimited, blocked }: Entitlements,
): PostViewer {
  if (!member) return { is: 'visitor' }
  // Named one by one, so that no other field of the entitlements replaces the member's id.
  return { is: 'member', id: member.id, age: member.age, joinedPlans, bought, showsAgeLimited, blocked }
}

/**
 * When a viewer's full access ends: with the last membership that opens the post.
 * @param memberships the viewer's memberships of plans that open the post; `endsAt` is null without an end
 * @returns null if one has no end, and without memberships
 */
export function endOfAccess(memberships: readonly { readonly endsAt: Date | null }[]): Date | null {
  const ends = memberships.map((it) => it.endsAt)
  if (ends.length === 0 || ends.includes(null)) return null
  return new Date(Math.max(...ends.map(Number)))
}
