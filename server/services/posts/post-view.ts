// The view of a post for its viewer, as the access policy decides.
import { MAX_CONTENT } from '#contract/limits.ts'
import { handlesIn } from '#contract/text/mentions.ts'
import { KEPT_MS } from '#contract/payments/bought.ts'
import type { PostAccess, PostView, Wants } from '#contract/posts/posts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { endOfAccess, isOpen, showsOpenTexts } from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { findHandles } from '#server/store/accounts/handles.ts'
import { factsOfPosts, type PostFacts } from '#server/store/posts/post-facts.ts'
import {
  type MediaAddress,
  openAddress,
  type Signer,
  signedAddresses,
} from '#server/services/media/addresses.ts'
import { blurredUrlOf, mediaViews } from '#server/services/media/views.ts'
import { mentionViews } from './mention-views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { decide, type Decided, decideReadable, type Onlooker, type Readable } from './post-decision.ts'

/** The dependencies of views: the database, and the key that signs media addresses. */
export interface ViewPorts {
  readonly db: Db
  readonly secrets: Signer
}

/** Views of these posts for the viewer, each as on its own page, in the same order, without hidden ones. */
export async function viewPosts(
  ports: ViewPorts,
  viewer: Onlooker | null,
  ids: readonly string[],
  now: number,
): Promise<PostView[]> {
  const posts = await factsOfPosts(ports.db, viewer?.id, ids, now)
  return viewDecided(ports, viewer, decideReadable(viewer, posts, now), now)
}

/**
 * Views of these posts for the viewer in a list, in the same order, without hidden ones and those that are kept for their buyer.
 * @param posts facts that were read for this viewer
 */
export async function viewFacts(
  ports: ViewPorts,
  viewer: Onlooker | null,
  posts: readonly PostFacts[],
  now: number,
): Promise<PostView[]> {
  return viewDecided(ports, viewer, decide(viewer, posts, now), now)
}

async function viewDecided(
  { db, secrets }: ViewPorts,
  viewer: Onlooker | null,
  decided: readonly Decided<Readable>[],
  now: number,
): Promise<PostView[]> {
  const texts = decided.filter((it) => it.decision.is !== 'preview').map((it) => it.post.content)
  const handles = await findHandles(db, texts.flatMap(handlesIn))
  const signed = signedAddresses(secrets, viewer?.id ?? null, now)
  return decided.map((it) => viewOf(it, viewer, handles, signed))
}

function viewOf(
  { post, guarded, decision }: Decided<Readable>,
  viewer: Onlooker | null,
  handles: Map<string, string>,
  signed: MediaAddress,
): PostView {
  const own = viewer?.id === post.authorId
  return {
    id: post.id,
    author: personView(post.author),
    type: post.type,
    is_age_limited: post.isAgeLimited,
    created_at: post.createdAt.toISOString(),
    released_at: post.releasedAt?.toISOString() ?? null,
    ...(showsOpenTexts(decision, post) && openTextsOf(post)),
    edited_at: post.editedAt?.toISOString() ?? null,
    counts: { likes: post.likes, comments: post.comments, version: post.version },
    comments_closed: post.commentsClosed,
    liked: post.liked,
    ...(own && post.held && { held: post.held }),
    access:
      decision.is !== 'preview'
        ? {
            is: 'full',
            content: post.content,
            mentions: mentionViews(post.content, handles),
            media: mediaViews(post.media, {
              own,
              address: isOpen(guarded) ? openAddress : signed,
              original: signed,
            }),
            ...(decision.is === 'kept' ? keptUntilOf(post) : untilOf(post, own)),
            ...(decision.is === 'kept' && { read_only: true as const }),
            ...(own && {
              opens_with: { plan_ids: post.plans.map((it) => it.id).toSorted(), price: post.price },
            }),
          }
        : previewOf(post, decision.wants, signed),
  }
}

/** The title and introduction; nothing for one that the post does not have. */
export function openTextsOf({ title, introduction }: Pick<PostFacts, 'title' | 'introduction'>): {
  title?: string
  introduction?: string
} {
  return { ...(title !== '' && { title }), ...(introduction !== '' && { introduction }) }
}

/** How much a closed post has: numbers, and nothing of its content. */
function amountOf({ content, media }: Pick<PostFacts, 'content' | 'media'>) {
  const seconds = media.find((it) => it.role === 'video')?.media.duration ?? null
  return {
    image_count: media.filter((it) => it.role === 'image').length,
    has_video: media.some((it) => it.role === 'video'),
    text_length: lengthOf(content.trim(), MAX_CONTENT),
    ...(seconds !== null && { video_seconds: seconds }),
  }
}

/** When the viewer's access ends; an author's access does not end. */
function untilOf({ plans }: PostFacts, own: boolean): { until?: string } {
  const end = own ? null : endOfAccess(plans.filter((it) => it.joined))
  return end ? { until: end.toISOString() } : {}
}

/** When a post that is kept for its buyer is removed: some time after its author's account. */
function keptUntilOf({ authorGoneAt }: PostFacts): { until?: string } {
  if (authorGoneAt === null) return {}
  return { until: new Date(authorGoneAt.getTime() + KEPT_MS).toISOString() }
}

function previewOf(post: PostFacts, wants: Wants, address: MediaAddress): PostAccess {
  const { media } = post
  return {
    is: 'preview',
    wants,
    blurred_url: blurredUrlOf(media, address),
    ...amountOf(post),
    price: wants === 'purchase' ? post.price : null,
    plans: wants === 'plan' ? post.plans.map(({ id, name, price }) => ({ id, name, price })) : [],
    ...(wants === 'plan' && post.plans.some((it) => it.isMember) && { before_joining: true }),
  }
}
