// The one policy that decides what a viewer may see of a post. Deny by default, and say what is wanted.
import { MIN_AGE } from '#contract/limits.ts'
import type { PostType, Wants } from '#contract/posts/posts.ts'

/** Who looks. `bought` and `blocked` (one has blocked the other) are about the post in question and its author. */
export type PostViewer =
  | { readonly is: 'visitor' }
  | {
      readonly is: 'member'
      readonly id: string
      readonly age: number
      readonly joinedPlans: ReadonlySet<string>
      readonly bought: boolean
      /** The member has chosen to be shown age-limited posts. */
      readonly showsAgeLimited: boolean
      readonly blocked: boolean
    }

export type AuthorState = 'present' | 'leaving' | 'suspended' | 'gone'

export interface GuardedPost {
  readonly authorId: string
  readonly type: PostType
  readonly isAgeLimited: boolean
  readonly released: boolean
  readonly deleted: boolean
  /** Whether the author is there, waits for the account's deletion, was shut out, or is gone. */
  readonly authorState: AuthorState
  /** Plans that open a type 2 post. */
  readonly planIds: readonly string[]
}

export type PostAccess =
  | { readonly is: 'full' }
  | { readonly is: 'preview'; readonly wants: Wants }
  | { readonly is: 'hidden' }

const full: PostAccess = { is: 'full' }
const hidden: PostAccess = { is: 'hidden' }
const preview = (wants: Wants): PostAccess => ({ is: 'preview', wants })

/**
 * Decides what a viewer may see of a post: feed, post page and every media file call it (specification sections 3 and 6).
 * Hidden from all: a deleted post, and one whose author is leaving, suspended or gone. Shown to its author alone: an
 * unreleased one. Hidden where author or viewer has blocked the other.
 * Visitors must sign in; what share cards and media addresses give them is `isOpen`.
 * Age-limited: hidden from members under 18; other members choose first to see such posts (`wants: 'age'`).
 * Type 2 wants one of its plans, type 3 a purchase; an author sees their own.
 *
 * Not considered: following opens nothing, muting hides nothing (lists leave such posts out), and an admin is a member
 * like others, since what admins look at goes through audited routes.
 */
export function accessTo(viewer: PostViewer, post: GuardedPost): PostAccess {
  if (post.deleted || post.authorState !== 'present') return hidden
  if (viewer.is === 'member' && viewer.id === post.authorId) return full
  if (!post.released) return hidden
  if (viewer.is === 'visitor') return preview('sign_in')
  if (viewer.blocked) return hidden
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
      return viewer.bought ? full : preview('purchase')
    default:
      post.type satisfies never
      return hidden
  }
}

/** A post with its author's choice about share cards. */
export interface ShareablePost extends GuardedPost {
  /** The author shows the beginning and pictures of open posts to everybody (settings, on by default). */
  readonly showsShareCard: boolean
}

/**
 * Whether a share card shows a post: its author, the first lines and one picture are then for visitors and crawlers,
 * and its media have plain addresses that shared caches may keep (decisions 025 and 050). The full text, comments and
 * lists want a signed-in person all the same.
 */
export function isOpen(post: ShareablePost): boolean {
  const there = post.released && !post.deleted && post.authorState === 'present'
  return there && post.type === 1 && !post.isAgeLimited && post.showsShareCard
}

function opensByPlan(viewer: Extract<PostViewer, { is: 'member' }>, post: GuardedPost): boolean {
  return post.planIds.some((id) => viewer.joinedPlans.has(id))
}

/** What is known of a member that can open posts or close them: what holds at this moment, nothing that is over. */
export interface Entitlements {
  readonly joinedPlans: ReadonlySet<string>
  readonly boughtPosts: ReadonlySet<string>
  readonly showsAgeLimited: boolean
  /** People the member has blocked, or is blocked by. */
  readonly blockedIds: ReadonlySet<string>
}

/**
 * The viewer of one post.
 * @param member the signed-in person, or null for a visitor; `age` in whole years
 * @param has their plans, purchases, choice and blocks
 * @param post the post they look at
 */
export function viewerOf(
  member: { readonly id: string; readonly age: number } | null,
  has: Entitlements,
  post: { readonly id: string; readonly authorId: string },
): PostViewer {
  if (!member) return { is: 'visitor' }
  return {
    is: 'member',
    id: member.id,
    age: member.age,
    joinedPlans: has.joinedPlans,
    bought: has.boughtPosts.has(post.id),
    showsAgeLimited: has.showsAgeLimited,
    blocked: has.blockedIds.has(post.authorId),
  }
}

/**
 * When a viewer's full access ends, as far as it is known: with the last membership that opens the post.
 * @param memberships theirs of plans that open the post; `endsAt` is null while one continues
 * @returns null while no end is known, and where no membership opens it
 */
export function endOfAccess(memberships: readonly { readonly endsAt: Date | null }[]): Date | null {
  const ends = memberships.map((it) => it.endsAt)
  if (ends.length === 0 || ends.includes(null)) return null
  return new Date(Math.max(...ends.map(Number)))
}
