// Reads published posts and their files by the API.
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { addPost, listPosts, type PostView } from '#contract/posts/posts.ts'
import { creator, type Person } from '#e2e/rig/people/people.ts'
import { until } from '#e2e/rig/network/ports.ts'
import { sessionFor, type Session } from '#e2e/rig/people/sessions.ts'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'

async function fetchAs(person: Person, url: string, path: (session: Session) => string): Promise<Response> {
  const session = await sessionFor(url, person)
  return fetch(new URL(path(session), url), { headers: { authorization: `Bearer ${session.token}` } })
}

/** All released posts of an author, newest first, as the author sees them. */
export async function releasedPosts(url: string, author = creator): Promise<PostView[]> {
  const seen: PostView[] = []
  for (let cursor = ''; ;) {
    const answer = await fetchAs(author, url, ({ user }) => `/api/posts?author=${user.id}${cursor}`)
    const { posts, next } = v.parse(listPosts.reply, await answer.json())
    seen.push(...posts)
    if (next === null) return seen
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

const textOf = (post: PostView): string => (post.access.is === 'full' ? post.access.content : '')

/** Released posts with exactly this text. */
export async function postsWithText(url: string, text: string): Promise<PostView[]> {
  return (await releasedPosts(url)).filter((it) => textOf(it) === text)
}

/** Waits until a post with this text is released. */
export function waitForPost(url: string, text: string, ms = DEADLINE_MS): Promise<PostView> {
  return until(async () => (await postsWithText(url, text))[0], `the post ${text}`, ms)
}

/** Publishes texts without a browser, one after the other. */
export async function publishTexts(url: string, author: Person, ...texts: string[]): Promise<void> {
  const { token } = await sessionFor(url, author)
  const headers = { authorization: `Bearer ${token}` }
  for (const content of texts) {
    const body = new FormData()
    body.append('content', content)
    body.append('type', '1')
    const added = await fetch(`${url}/api/post/add`, { method: 'POST', headers, body })
    const id = v.parse(addPost.reply, await added.json()).data[0]?.item.id
    const released = await fetch(`${url}/api/post/release-uploaded/${id}`, { method: 'POST', headers })
    if (!released.ok) throw new Error(`the release answered ${released.status}`)
  }
}

/** SHA-256, hex, of the bytes that the server has stored of each of a post's media, in order. */
export async function originals(url: string, post: PostView): Promise<string[]> {
  if (post.access.is !== 'full') throw new Error('the creator cannot see the post')
  const digests: string[] = []
  for (const it of post.access.media) {
    const { original_url: path } = it
    if (!path) throw new Error('the post has no URL of the original')
    const answer = await fetchAs(creator, url, () => path)
    if (!answer.ok || !answer.body) throw new Error(`the original answered ${answer.status}`)
    const hash = createHash('sha256')
    for await (const bytes of answer.body) hash.update(bytes)
    digests.push(hash.digest('hex'))
  }
  return digests
}

/** The bytes that the server has stored of each of a post's media, in order: for small files. */
export async function originalBytes(url: string, post: PostView): Promise<Buffer[]> {
  if (post.access.is !== 'full') throw new Error('the creator cannot see the post')
  const paths = post.access.media.map((it) => it.original_url ?? '')
  return Promise.all(
    paths.map(async (path) => Buffer.from(await (await fetchAs(creator, url, () => path)).arrayBuffer())),
  )
}
