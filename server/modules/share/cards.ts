// Decides status and share card of a page by what visitors may see.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import {
  closedPostCard,
  generalCard,
  type Picture,
  postCard,
  profileCard,
  type ShareCard,
} from '#server/rules/share-card.ts'
import { findPeople, findUser, type Person } from '#server/store/people/people.ts'
import { privacyOf } from '#server/store/accounts/settings.ts'
import { type OpenPost, openPostOf } from '#server/services/posts/open-post.ts'

export interface Introduction {
  readonly status: 200 | 404
  readonly card: ShareCard
  readonly canonical: boolean
  /** Search engines may list the page. */
  readonly indexed: boolean
}

type CardDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'secrets'>

const avatarPicture = (url: string, person: { id: string; name: string }): Picture => ({
  url: `${url}${API_BASE}/share/profile/${person.id}.jpg`,
  width: 400,
  height: 400,
  alt: `${person.name}さんのアイコン`,
})

type OpenPostView = Extract<OpenPost, { is: 'open' }>

/** Reads what visitors are shown of a post. */
export function openPost(deps: CardDeps, postId: string): Promise<OpenPost> {
  return openPostOf(deps.db, postId, deps.clock())
}

/** The media file that a card shows: the first processed image, or video with a poster. */
export function cardMediaOf({ media }: OpenPostView): { id: string; kind: 'image' | 'video' } | undefined {
  return media.find((it) => it.state === 'ready' && (it.kind === 'image' || it.poster !== null))
}

async function postPage(deps: CardDeps, postId: string): Promise<Introduction> {
  const { publicUrl } = deps.settings
  const general = { card: generalCard(publicUrl), canonical: false, indexed: false }
  const post = await openPost(deps, postId)
  switch (post.is) {
    case 'none':
      return { status: 404, ...general }
    case 'closed':
      return { status: 200, ...general, card: closedCardOf(post, publicUrl, general.card) }
    case 'open':
      return { status: 200, card: cardOf(post, publicUrl, general.card), canonical: true, indexed: true }
    default:
      return post satisfies never
  }
}

/** The card of a post that is closed to visitors: without a title and introduction, the general one. */
function closedCardOf(
  { id, author, title = '', introduction = '' }: Extract<OpenPost, { is: 'closed' }>,
  publicUrl: string,
  general: ShareCard,
): ShareCard {
  if (title === '' && introduction === '') return general
  const about = { url: `${publicUrl}/post/${id}`, author: author.name, title, introduction }
  return closedPostCard(about, general)
}

function cardOf(post: OpenPostView, publicUrl: string, general: ShareCard): ShareCard {
  const { id, author, title = '', content, media } = post
  const shown = cardMediaOf(post)
  const picture: Picture = shown
    ? {
        url: `${publicUrl}${API_BASE}/share/post/${id}.jpg`,
        width: 1200,
        height: 630,
        alt: `${author.name}さんの投稿の画像`,
      }
    : author.avatar_url === null
      ? general.picture
      : avatarPicture(publicUrl, author)
  const about = {
    url: `${publicUrl}/post/${id}`,
    author: author.name,
    title,
    content,
    hasVideo: media.some((it) => it.kind === 'video'),
    imageCount: media.filter((it) => it.kind === 'image').length,
  }
  const large = shown !== undefined || author.avatar_url === null
  return postCard(about, picture, large)
}

/** A person whose share card may be shown: present, with share cards switched on. */
export async function openPerson({ db }: CardDeps, userId: string): Promise<Person | 'closed' | undefined> {
  const person = (await findPeople(db, [userId])).get(userId)
  if (person?.state !== 'present') return undefined
  return (await privacyOf(db, userId)).showsShareCard ? person : 'closed'
}

async function profilePage(deps: CardDeps, userId: string): Promise<Introduction> {
  const { publicUrl } = deps.settings
  const general = generalCard(publicUrl)
  const person = await openPerson(deps, userId)
  if (person === 'closed') return { status: 200, card: general, canonical: false, indexed: false }
  const user = person && (await findUser(deps.db, userId))
  if (!person || !user) return { status: 404, card: general, canonical: false, indexed: false }
  const picture = person.avatarId === null ? general.picture : avatarPicture(publicUrl, person)
  const about = { url: `${publicUrl}/profile/${userId}`, name: user.name, handle: user.handle, bio: user.bio }
  return { status: 200, card: profileCard(about, picture), canonical: true, indexed: true }
}

/** A page with a creator's address is for their buyers, not for search engines. */
const isIndexed = (pattern: string) => !pattern.startsWith('/profile/seller/')

const pathWithId = /^\/(post|profile)\/([^/]+)\/?$/

/**
 * Metadata of a page for its share card.
 * @param path as requested, without the query
 * @param pattern the page's own path (`/post/$id`), or undefined if the page does not exist
 */
export async function describePage(
  deps: CardDeps,
  path: string,
  pattern: string | undefined,
): Promise<Introduction> {
  const card = generalCard(deps.settings.publicUrl)
  if (pattern === undefined) return { status: 404, card, canonical: false, indexed: false }
  const [, kind, text] = pattern.endsWith('/$id') ? (pathWithId.exec(path) ?? []) : []
  if (kind === undefined) return { status: 200, card, canonical: path === '/', indexed: isIndexed(pattern) }
  const id = v.safeParse(idSchema, text)
  if (!id.success) return { status: 404, card, canonical: false, indexed: false }
  return kind === 'post' ? postPage(deps, id.output) : profilePage(deps, id.output)
}
