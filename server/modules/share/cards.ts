// Which card a page has, and whether there is such a page: decided for everybody as for a visitor.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { PostView } from '#contract/posts.ts'
import type { Deps } from '#server/deps.ts'
import { generalCard, type Picture, postCard, profileCard, type ShareCard } from '#server/rules/share-card.ts'
import { findPeople, findUser, type Person } from '#server/store/people.ts'
import { viewPosts } from '#server/views/post-view.ts'

export interface Introduction {
  readonly status: 200 | 404
  readonly card: ShareCard
  readonly canonical: boolean
}

type Ports = Pick<Deps, 'db' | 'clock' | 'settings' | 'secrets'>

const faceOf = (url: string, person: { id: string; name: string }): Picture => ({
  url: `${url}${API_BASE}/share/profile/${person.id}.jpg`,
  width: 400,
  height: 400,
  alt: `${person.name}さんのアイコン`,
})

/** What a visitor is shown of a post; undefined when it is hidden from them or there is none. */
export async function openView(ports: Ports, postId: string): Promise<PostView | undefined> {
  return (await viewPosts(ports, null, [postId], ports.clock()))[0]
}

/** The media a card shows: the first picture, or the video's. */
export function pictured(view: PostView): { id: string; kind: 'image' | 'video' } | undefined {
  if (view.access.is !== 'full') return undefined
  return view.access.media.find((it) => it.state === 'ready' && (it.kind === 'image' || it.poster !== null))
}

async function postPage(ports: Ports, postId: string): Promise<Introduction> {
  const { publicUrl } = ports.settings
  const general = { card: generalCard(publicUrl), canonical: false }
  const view = await openView(ports, postId)
  if (!view) return { status: 404, ...general }
  if (view.access.is !== 'full') return { status: 200, ...general }
  const { content, media } = view.access
  const shown = pictured(view)
  const { author } = view
  const picture: Picture = shown
    ? {
        url: `${publicUrl}${API_BASE}/share/post/${view.id}.jpg`,
        width: 1200,
        height: 630,
        alt: `${author.name}さんの投稿の画像`,
      }
    : author.avatar_url === null
      ? general.card.picture
      : faceOf(publicUrl, author)
  const about = {
    url: `${publicUrl}/post/${view.id}`,
    author: author.name,
    content,
    hasVideo: media.some((it) => it.kind === 'video'),
    imageCount: media.filter((it) => it.kind === 'image').length,
  }
  const large = shown !== undefined || author.avatar_url === null
  return { status: 200, card: postCard(about, picture, large), canonical: true }
}

/** Somebody everybody may see. */
export async function openPerson({ db }: Ports, userId: string): Promise<Person | undefined> {
  const person = (await findPeople(db, [userId])).get(userId)
  return person?.state === 'present' ? person : undefined
}

async function profilePage(ports: Ports, userId: string): Promise<Introduction> {
  const { publicUrl } = ports.settings
  const general = generalCard(publicUrl)
  const person = await openPerson(ports, userId)
  const user = person && (await findUser(ports.db, userId))
  if (!person || !user) return { status: 404, card: general, canonical: false }
  const picture = person.avatarId === null ? general.picture : faceOf(publicUrl, person)
  const about = { url: `${publicUrl}/profile/${userId}`, name: user.name, handle: user.handle, bio: user.bio }
  return { status: 200, card: profileCard(about, picture), canonical: true }
}

const ofId = /^\/(post|profile)\/([^/]+)\/?$/

/**
 * Introduces a page to whoever opens its address.
 * @param path as asked for, without the query
 * @param pattern the page's own path (`/post/$id`), or undefined when there is no such page
 */
export async function introduce(
  ports: Ports,
  path: string,
  pattern: string | undefined,
): Promise<Introduction> {
  const card = generalCard(ports.settings.publicUrl)
  if (pattern === undefined) return { status: 404, card, canonical: false }
  const [, kind, text] = pattern.endsWith('/$id') ? (ofId.exec(path) ?? []) : []
  if (kind === undefined) return { status: 200, card, canonical: path === '/' }
  const id = v.safeParse(idSchema, text)
  if (!id.success) return { status: 404, card, canonical: false }
  return kind === 'post' ? postPage(ports, id.output) : profilePage(ports, id.output)
}
