// A post of several pictures.
import { press, write } from './rig/editor.ts'
import { creator, fan, signIn } from './rig/people.ts'
import { makePictures } from './rig/pictures.ts'
import { arrival, originals, postsSaying } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

test('three pictures arrive in their order, byte for byte', async ({ server, network, phone, another }) => {
  const content = '三枚の写真'
  const pictures = await makePictures(3)
  await signIn(phone.page, network.url, creator)
  await write(phone.page, network.url, { content, files: pictures.map((it) => it.path) })
  await press(phone.page, network.url)
  const post = await arrival(server.url, content)
  expect(await originals(server.url, post)).toEqual(pictures.map((it) => it.sha256))

  const { page } = await another()
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/${post.id}`)
  const shown = page.getByRole('main').getByRole('img', { name: /3枚中/ })
  await expect(shown.first()).toBeVisible()
  await expect
    .poll(() => shown.first().evaluate((it) => (it as HTMLImageElement).naturalWidth), { timeout: 30_000 })
    .toBeGreaterThan(0)
  expect(await postsSaying(server.url, content)).toHaveLength(1)
})
