// The view of a post for its viewer, as the access policy decides.
import { MAX_CONTENT } from '#contract/limits.ts'
import { handlesIn } from '#contract/text/mentions.ts'
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
import { decide, type Decided, type Onlooker } from './post-decision.ts'

/** The dependencies of views: the database, and the key that signs media addresses. */
export interface ViewPorts {
  readonly db: Db
  readonly secrets: Signer
}

/** Views of these posts for the viewer, in the same order, without hidden ones. */
export async function viewPosts(
  ports: ViewPorts,
  viewer: Onlooker | null,
  ids: readonly string[],
  now: number,
): Promise<PostView[]> {
  return viewFacts(ports, viewer, await factsOfPosts(ports.db, viewer?.id, ids, now), now)
}

/**
 * Views of these posts for the viewer, in the same order, without hidden ones.
 * @param posts facts that were read for this viewer
 */
export async function viewFacts(
  { db, secrets }: ViewPorts,
  viewer: Onlooker | null,
  posts: readonly PostFacts[],
  now: number,
): Promise<PostView[]> {
  const decided = decide(viewer, posts, now)
  const texts = decided.filter((it) => it.decision.is === 'full').map((it) => it.post.content)
  const handles = await findHandles(db, texts.flatMap(handlesIn))
  const signed = signedAddresses(secrets, viewer?.id ?? null, now)
  return decided.map((it) => viewOf(it, viewer, handles, signed))
}

function viewOf(
  { post, guarded, decision }: Decided,
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
      decision.is === 'full'
        ? {
            is: 'full',
            content: post.content,
            mentions: mentionViews(post.content, handles),
            media: mediaViews(post.media, {
              own,
              address: isOpen(guarded) ? openAddress : signed,
              original: signed,
            }),
            ...untilOf(post, own),
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
