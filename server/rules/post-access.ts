// The one policy that decides what a viewer may see of a post. Deny by default, and say what is wanted.
import { MIN_AGE } from '#contract/limits.ts'
import type { PostType, Wants } from '#contract/posts.ts'

/** Who looks. `bought` and `apart` (one has blocked the other) are about the post in question and its author. */
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
      readonly apart: boolean
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
 * Decides what a viewer may see of a post. Feed, post page and every media file ask it (specification sections 3 and 6).
 * Deleted, or its author leaving, suspended or gone: nobody. Unreleased: its author. Author and viewer apart: hidden.
 * Visitors must sign in; what share cards and media addresses give them is `isOpen`.
 * Age-limited: members under 18 see nothing of it, and it wants `age` of whoever did not choose to see such posts.
 * Type 2 wants one of its plans, type 3 a purchase; an author sees their own.
 *
 * What is no matter of access is not asked for: following opens nothing, muting closes nothing (lists leave such posts
 * out), and an admin is a member like others — what they look at as admins goes through routes that write it down.
 * @param viewer who looks; `age` in whole years
 * @param post what is looked at
 */
export function accessTo(viewer: PostViewer, post: GuardedPost): PostAccess {
  if (post.deleted || post.authorState !== 'present') return hidden
  if (viewer.is === 'member' && viewer.id === post.authorId) return full
  if (!post.released) return hidden
  if (viewer.is === 'visitor') return preview('sign_in')
  if (viewer.apart) return hidden
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
  readonly apartFrom: ReadonlySet<string>
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
    apart: has.apartFrom.has(post.authorId),
  }
}

/**
 * When what a viewer sees in full closes again, as far as it is known: with the last of the memberships that open it.
 * @param memberships theirs of plans that open the post; `endsAt` is null while one goes on
 * @returns null while no end is known, and where no membership opens it
 */
export function endOfAccess(memberships: readonly { readonly endsAt: Date | null }[]): Date | null {
  const ends = memberships.map((it) => it.endsAt)
  if (ends.length === 0 || ends.includes(null)) return null
  return new Date(Math.max(...ends.map(Number)))
}
