// Cards of posts inside messages, as the access policy decides for their viewer.
import { cardPictureOf } from '#contract/posts/card-picture.ts'
import type { PostCard } from '#contract/posts/post-card.ts'
import { isOpen, showsOpenTexts } from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import { factsOfPosts, type PostFacts } from '#server/store/posts/post-facts.ts'
import { type MediaAddress, openAddress, signedAddresses } from '#server/services/media/addresses.ts'
import { blurredUrlOf, mediaViews } from '#server/services/media/views.ts'
import { decide, type Decided } from './post-decision.ts'
import type { ViewPorts } from './post-view.ts'

/** Longest excerpt of an open post, characters. */
const EXCERPT = 140

/** The cards of these posts for one viewer, by their ids; a hidden post has none. */
export async function postCards(
  { db, secrets }: ViewPorts,
  viewerId: string,
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, PostCard>> {
  if (ids.length === 0) return new Map()
  const viewer = await findUser(db, viewerId)
  if (!viewer) return new Map()
  const decided = decide(viewer, await factsOfPosts(db, viewerId, ids, now), now)
  const signed = signedAddresses(secrets, viewerId, now)
  return new Map(decided.map((it) => [it.post.id, cardOf(it, signed)]))
}

/**
 * Whether a person may attach a post to a message: only an own, released one. Its author decides whom it reaches, and
 * attaching posts of others would be a way to send their content to people whom they have blocked.
 */
export async function isAttachable(db: Db, senderId: string, postId: string, now: number): Promise<boolean> {
  const [post] = await factsOfPosts(db, senderId, [postId], now)
  return post?.authorId === senderId && post.releasedAt !== null && post.deletedAt === null
}

function cardOf({ post, guarded, decision }: Decided, signed: MediaAddress): PostCard {
  const shown = {
    id: post.id,
    type: post.type,
    ...(post.title !== '' && showsOpenTexts(decision, post) && { title: post.title }),
    image_count: post.media.filter((it) => it.role === 'image').length,
    has_video: post.media.some((it) => it.role === 'video'),
  }
  if (decision.is === 'preview')
    return {
      is: 'preview',
      ...shown,
      wants: decision.wants,
      price: decision.wants === 'purchase' ? post.price : null,
      blurred_url: blurredUrlOf(post.media, signed),
    }
  return {
    is: 'full',
    ...shown,
    excerpt: post.type === 1 ? excerptOf(post.content) : '',
    picture: pictureOf(post, isOpen(guarded) ? openAddress : signed),
  }
}

const graphemes = new Intl.Segmenter('ja')

function excerptOf(content: string): string {
  // Longer than any excerpt, and short enough to segment for each card of a page.
  const clusters = [...graphemes.segment(content.slice(0, EXCERPT * 20).trim())].map((it) => it.segment)
  return clusters.length > EXCERPT ? `${clusters.slice(0, EXCERPT).join('')}…` : clusters.join('')
}

/** The first picture or poster, in the smallest width that fills a card. */
function pictureOf({ media }: PostFacts, address: MediaAddress): string | null {
  for (const it of mediaViews(media, { own: false, address, original: address })) {
    const found = cardPictureOf(it)
    if (found !== null) return found
  }
  return null
}
