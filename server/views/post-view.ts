// How a post looks to its viewer: the policy decides, this shapes the answer. The one door every list of posts goes through.
import { handlesIn } from '#contract/mentions.ts'
import type { PostAccess, PostView, Wants } from '#contract/posts.ts'
import { ageOn } from '#contract/rules.ts'
import {
  accessTo,
  type Entitlements,
  type GuardedPost,
  isOpen,
  type PostAccess as Decision,
  viewerOf,
} from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { entitlementsOf } from '#server/store/entitlements.ts'
import { findHandles } from '#server/store/handles.ts'
import { findPeople, type Person } from '#server/store/people.ts'
import type { Plan } from '#server/store/plans.ts'
import { findPlans, mediaOfPosts, type ShownMedia } from '#server/store/post-pieces.ts'
import { plansOpening, type PostRow } from '#server/store/posts.ts'
import { countsOfPosts, likedAmong, type PostCounts } from '#server/store/reactions.ts'
import { type MediaAddress, openAddress, type Signer, signedAddresses } from './media-address.ts'
import { blurredUrlOf, mediaViews } from './media-views.ts'
import { mentionViews } from './mention-views.ts'
import { personView } from './person-view.ts'

/** Who looks, as far as a view needs to know. */
export interface Onlooker {
  readonly id: string
  readonly birthDate: string
}

/** What views are made with: where to read, and the key that media addresses are signed by. */
export interface ViewPorts {
  readonly db: Db
  readonly secrets: Signer
}

/** Everything several posts need, read together. */
interface Context {
  readonly people: Map<string, Person>
  readonly media: Map<string, ShownMedia[]>
  readonly opening: Map<string, string[]>
  readonly plans: Map<string, Plan>
  readonly has: Entitlements
  readonly counts: Map<string, PostCounts>
  readonly liked: ReadonlySet<string>
}

async function read(
  db: Db,
  viewer: Onlooker | null,
  rows: readonly PostRow[],
  now: number,
): Promise<Context> {
  const ids = rows.map((row) => row.id)
  const opening = await plansOpening(db, ids)
  const plans = await findPlans(db, [...opening.values()].flat())
  const authors = rows.map((row) => row.authorId)
  return {
    people: await findPeople(db, authors),
    media: await mediaOfPosts(db, ids),
    opening,
    plans: new Map(plans.map((plan) => [plan.id, plan])),
    has: await entitlementsOf(db, viewer?.id, rows, now),
    counts: await countsOfPosts(db, ids),
    liked: viewer ? await likedAmong(db, viewer.id, ids) : new Set(),
  }
}

interface Decided {
  readonly row: PostRow
  readonly guarded: GuardedPost
  readonly author: Person
  readonly decision: Exclude<Decision, { is: 'hidden' }>
}

/** What the viewer may see of each of these posts; those they may not know of are left out. */
function decide(context: Context, viewer: Onlooker | null, rows: readonly PostRow[], now: number): Decided[] {
  const member = viewer && { id: viewer.id, age: ageOn(viewer.birthDate, now) }
  return rows.flatMap((row) => {
    const author = context.people.get(row.authorId)
    const guarded: GuardedPost = {
      ...row,
      released: row.releasedAt !== null,
      deleted: row.deletedAt !== null,
      authorState: author?.state ?? 'gone',
      planIds: context.opening.get(row.id) ?? [],
    }
    const decision = accessTo(viewerOf(member, context.has, row), guarded)
    return author && decision.is !== 'hidden' ? [{ row, guarded, author, decision }] : []
  })
}

/** Views of those posts the viewer may know of, in the same order. */
export async function viewPosts(
  { db, secrets }: ViewPorts,
  viewer: Onlooker | null,
  rows: readonly PostRow[],
  now: number,
): Promise<PostView[]> {
  const context = await read(db, viewer, rows, now)
  const decided = decide(context, viewer, rows, now)
  const texts = decided.filter((it) => it.decision.is === 'full').map((it) => it.row.content)
  const handles = await findHandles(db, texts.flatMap(handlesIn))
  const signed = signedAddresses(secrets, viewer?.id ?? null, now)
  return decided.map(({ row, guarded, author, decision }) => ({
    id: row.id,
    author: personView(author),
    type: row.type,
    is_age_limited: row.isAgeLimited,
    created_at: row.createdAt.toISOString(),
    released_at: row.releasedAt?.toISOString() ?? null,
    edited_at: row.editedAt?.toISOString() ?? null,
    counts: context.counts.get(row.id) ?? { likes: 0, comments: 0 },
    liked: context.liked.has(row.id),
    access:
      decision.is === 'full'
        ? {
            is: 'full',
            content: row.content,
            mentions: mentionViews(row.content, handles),
            media: mediaViews(context.media.get(row.id) ?? [], {
              own: viewer?.id === row.authorId,
              address: isOpen(guarded) ? openAddress : signed,
              original: signed,
            }),
          }
        : previewOf(row, decision.wants, context, signed),
  }))
}

function previewOf(row: PostRow, wants: Wants, context: Context, address: MediaAddress): PostAccess {
  const shown = context.media.get(row.id) ?? []
  const opens = wants === 'plan' ? (context.opening.get(row.id) ?? []) : []
  return {
    is: 'preview',
    wants,
    blurred_url: blurredUrlOf(shown, address),
    image_count: shown.filter((it) => it.role === 'image').length,
    has_video: shown.some((it) => it.role === 'video'),
    price: wants === 'purchase' ? row.price : null,
    plans: [...context.plans.values()].filter((plan) => opens.includes(plan.id)),
  }
}
