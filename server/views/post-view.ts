// How a post looks to its viewer: the policy decides, this shapes the answer. The one door every list of posts goes through.
import { handlesIn } from '#contract/mentions.ts'
import type { PostAccess, PostView, Wants } from '#contract/posts.ts'
import { isOpen } from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { findHandles } from '#server/store/handles.ts'
import type { Plan } from '#server/store/plans.ts'
import { findPlans, mediaOfPosts, type ShownMedia } from '#server/store/post-pieces.ts'
import type { PostRow } from '#server/store/posts.ts'
import { type PostReactions, reactionsTo } from '#server/store/reactions.ts'
import { type MediaAddress, openAddress, type Signer, signedAddresses } from './media-address.ts'
import { blurredUrlOf, mediaViews } from './media-views.ts'
import { mentionViews } from './mention-views.ts'
import { personView } from './person-view.ts'
import { decide, type Ground, type Onlooker, readGround } from './post-decision.ts'

/** What views are made with: where to read, and the key that media addresses are signed by. */
export interface ViewPorts {
  readonly db: Db
  readonly secrets: Signer
}

/** Everything several posts need, read together. */
interface Context extends Ground {
  readonly media: Map<string, ShownMedia[]>
  readonly plans: Map<string, Plan>
  readonly reactions: Map<string, PostReactions>
}

async function read(
  db: Db,
  viewer: Onlooker | null,
  rows: readonly PostRow[],
  now: number,
): Promise<Context> {
  const ids = rows.map((row) => row.id)
  const [[ground, plans], media, reactions] = await Promise.all([
    readGround(db, viewer, rows, now).then(
      async (it) => [it, await findPlans(db, [...it.opening.values()].flat())] as const,
    ),
    mediaOfPosts(db, ids),
    reactionsTo(db, viewer?.id, ids),
  ])
  return { ...ground, media, plans: new Map(plans.map((plan) => [plan.id, plan])), reactions }
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
    ...reactedTo(context.reactions.get(row.id)),
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
            ...(viewer?.id === row.authorId && {
              opens_with: { plan_ids: context.opening.get(row.id) ?? [], price: row.price },
            }),
          }
        : previewOf(row, decision.wants, context, signed),
  }))
}

function reactedTo(it: PostReactions | undefined): Pick<PostView, 'counts' | 'liked'> {
  return { counts: { likes: it?.likes ?? 0, comments: it?.comments ?? 0 }, liked: it?.liked ?? false }
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
