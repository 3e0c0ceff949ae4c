// Asks the API what was really published, and downloads what was sent.
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { listPosts, type PostView } from '#contract/posts.ts'
import { creator, sessionOf } from './people.ts'
import { until } from './ports.ts'

/** The creator's released posts, newest first, as the creator sees them. */
export async function releasedPosts(url: string): Promise<PostView[]> {
  const { token, user } = await sessionOf(url, creator)
  const answer = await fetch(`${url}/api/posts?author=${user.id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return v.parse(listPosts.reply, await answer.json()).posts
}

const textOf = (post: PostView): string => (post.access.is === 'full' ? post.access.content : '')

/** Released posts with exactly this text. */
export async function postsSaying(url: string, text: string): Promise<PostView[]> {
  return (await releasedPosts(url)).filter((it) => textOf(it) === text)
}

/** Waits until a post with this text is released. */
export function arrival(url: string, text: string, ms = 90_000): Promise<PostView> {
  return until(async () => (await postsSaying(url, text))[0], `the post ${text}`, ms)
}

/** SHA-256, hex, of the bytes the server keeps of each of a post's media, in order. */
export async function originals(url: string, post: PostView): Promise<string[]> {
  if (post.access.is !== 'full') throw new Error('the creator cannot see the post')
  const { token } = await sessionOf(url, creator)
  const sums: string[] = []
  for (const it of post.access.media) {
    if (!it.original_url) throw new Error('no original is offered to the author')
    const answer = await fetch(new URL(it.original_url, url), {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok || !answer.body) throw new Error(`the original answered ${answer.status}`)
    const hash = createHash('sha256')
    for await (const bytes of answer.body) hash.update(bytes)
    sums.push(hash.digest('hex'))
  }
  return sums
}
