// Posts for sale in the stories of several servers.
import { readFileSync } from 'node:fs'
import type { PostView } from '#contract/posts/posts.ts'
import type { Api } from '#e2e/rig/people/api.ts'
import { makePictures } from '#e2e/rig/posting/pictures.ts'
import { publishImages } from '#e2e/rig/posting/sending.ts'

/** Publishes a post for sale with a picture. @returns its id */
export async function sellPicture(url: string, content: string, price: number): Promise<string> {
  const [picture] = await makePictures(1)
  if (!picture) throw new Error('no picture')
  const bytes = Buffer.from(readFileSync(picture.path))
  const more = { type: '3', price: String(price) }
  return publishImages(url, content, [{ name: 'sea.jpg', bytes }], more)
}

/** What a person sees of a post. */
export const accessOf = async (api: Api, postId: string) =>
  ((await api.call('GET', `/posts/${postId}`)) as PostView).access.is
