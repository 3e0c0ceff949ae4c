// A video's thumbnail: its picture at 2 s, or one the creator chose (specification sections 3, 5 and 9).
import { join } from 'node:path'
import type { PostView } from '#contract/posts.ts'
import sharp from 'sharp'
import { press, write } from './rig/editor.ts'
import { creator, sessionOf, signIn } from './rig/people.ts'
import { temporaryFolder, until } from './rig/ports.ts'
import { arrival, releasedPosts } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

const video = join(import.meta.dirname, 'fixtures/h264.mp4')
/** Mean red, green and blue of the video's picture at 2 s. */
const moment = [122, 130, 125]

/** Shape and mean colour of a post's poster, once it is made. */
async function posterOf(url: string, posted: PostView) {
  const { token } = await sessionOf(url, creator)
  return until(async () => {
    const post = (await releasedPosts(url)).find((it) => it.id === posted.id)
    const media = post?.access.is === 'full' ? post.access.media[0] : undefined
    if (media?.kind !== 'video' || !media.poster) return undefined
    const answer = await fetch(new URL(media.poster, url), { headers: { authorization: `Bearer ${token}` } })
    const picture = sharp(Buffer.from(await answer.arrayBuffer()))
    const [{ width, height }, { channels }] = [await picture.metadata(), await picture.stats()]
    return { shape: width / height, colour: channels.slice(0, 3).map((it) => Math.round(it.mean)) }
  }, 'the poster')
}

test('the picture at 2 s is the thumbnail unless one is chosen', async ({ server, network, phone }) => {
  const { page } = phone
  const content = '二秒の場面'
  await signIn(page, network.url, creator)
  await write(page, network.url, { content, files: [video] })
  await expect(page.getByText('動画の2秒の場面')).toBeVisible()
  await press(page, network.url)
  const { shape, colour } = await posterOf(server.url, await arrival(server.url, content))
  expect(shape).toBeCloseTo(16 / 9, 1)
  // The picture is the video's, not a black or an empty one.
  for (const [i, part] of moment.entries()) expect(Math.abs((colour[i] ?? 0) - part)).toBeLessThan(12)
})

test('a chosen picture is the thumbnail', async ({ server, network, phone }) => {
  const { page } = phone
  const content = '選んだ一枚'
  const file = join(temporaryFolder('thumbnail'), 'square.png')
  await sharp({ create: { width: 400, height: 400, channels: 3, background: '#c83c28' } })
    .png()
    .toFile(file)
  await signIn(page, network.url, creator)
  await write(page, network.url, { content, files: [video] })
  await page.locator('input[type=file][aria-label="画像を選ぶ"]').setInputFiles(file)
  await expect(page.getByText('選んだ画像')).toBeVisible()
  await press(page, network.url)
  const { shape, colour } = await posterOf(server.url, await arrival(server.url, content))
  expect(shape).toBe(1)
  for (const [i, part] of [200, 60, 40].entries()) expect(Math.abs((colour[i] ?? 0) - part)).toBeLessThan(8)
})
