// Which card a page has, and whether there is such a page: decided for everybody as for a visitor.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { generalCard, type Picture, postCard, profileCard, type ShareCard } from '#server/rules/share-card.ts'
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

type Ports = Pick<Deps, 'db' | 'clock' | 'settings' | 'secrets'>

const faceOf = (url: string, person: { id: string; name: string }): Picture => ({
  url: `${url}${API_BASE}/share/profile/${person.id}.jpg`,
  width: 400,
  height: 400,
  alt: `${person.name}さんのアイコン`,
})

type Shown = Extract<OpenPost, { is: 'open' }>

/** Reads what visitors are shown of a post. */
export function openPost(ports: Ports, postId: string): Promise<OpenPost> {
  return openPostOf(ports.db, postId, ports.clock())
}

/** The media a card shows: the first picture, or the video's. */
export function pictured({ media }: Shown): { id: string; kind: 'image' | 'video' } | undefined {
  return media.find((it) => it.state === 'ready' && (it.kind === 'image' || it.poster !== null))
}

async function postPage(ports: Ports, postId: string): Promise<Introduction> {
  const { publicUrl } = ports.settings
  const general = { card: generalCard(publicUrl), canonical: false, indexed: false }
  const post = await openPost(ports, postId)
  switch (post.is) {
    case 'none':
      return { status: 404, ...general }
    case 'closed':
      return { status: 200, ...general }
    case 'open':
      return { status: 200, card: cardOf(post, publicUrl, general.card), canonical: true, indexed: true }
    default:
      return post satisfies never
  }
}

function cardOf(post: Shown, publicUrl: string, general: ShareCard): ShareCard {
  const { id, author, content, media } = post
  const shown = pictured(post)
  const picture: Picture = shown
    ? {
        url: `${publicUrl}${API_BASE}/share/post/${id}.jpg`,
        width: 1200,
        height: 630,
        alt: `${author.name}さんの投稿の画像`,
      }
    : author.avatar_url === null
      ? general.picture
      : faceOf(publicUrl, author)
  const about = {
    url: `${publicUrl}/post/${id}`,
    author: author.name,
    content,
    hasVideo: media.some((it) => it.kind === 'video'),
    imageCount: media.filter((it) => it.kind === 'image').length,
  }
  const large = shown !== undefined || author.avatar_url === null
  return postCard(about, picture, large)
}

/** A person whose share card may be shown: present, with share cards switched on. */
export async function openPerson({ db }: Ports, userId: string): Promise<Person | 'closed' | undefined> {
  const person = (await findPeople(db, [userId])).get(userId)
  if (person?.state !== 'present') return undefined
  return (await privacyOf(db, userId)).showsShareCard ? person : 'closed'
}

async function profilePage(ports: Ports, userId: string): Promise<Introduction> {
  const { publicUrl } = ports.settings
  const general = generalCard(publicUrl)
  const person = await openPerson(ports, userId)
  if (person === 'closed') return { status: 200, card: general, canonical: false, indexed: false }
  const user = person && (await findUser(ports.db, userId))
  if (!person || !user) return { status: 404, card: general, canonical: false, indexed: false }
  const picture = person.avatarId === null ? general.picture : faceOf(publicUrl, person)
  const about = { url: `${publicUrl}/profile/${userId}`, name: user.name, handle: user.handle, bio: user.bio }
  return { status: 200, card: profileCard(about, picture), canonical: true, indexed: true }
}

const ofId = /^\/(post|profile)\/([^/]+)\/?$/

/**
 * Metadata of a page for its share card.
 * @param path as requested, without the query
 * @param pattern the page's own path (`/post/$id`), or undefined when there is no such page
 */
export async function introduce(
  ports: Ports,
  path: string,
  pattern: string | undefined,
): Promise<Introduction> {
  const card = generalCard(ports.settings.publicUrl)
  if (pattern === undefined) return { status: 404, card, canonical: false, indexed: false }
  const [, kind, text] = pattern.endsWith('/$id') ? (ofId.exec(path) ?? []) : []
  if (kind === undefined) return { status: 200, card, canonical: path === '/', indexed: true }
  const id = v.safeParse(idSchema, text)
  if (!id.success) return { status: 404, card, canonical: false, indexed: false }
  return kind === 'post' ? postPage(ports, id.output) : profilePage(ports, id.output)
}
