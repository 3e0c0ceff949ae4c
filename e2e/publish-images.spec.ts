// A post of several pictures.
import { press, write } from './rig/posting/editor.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test('three pictures are posted in their order, byte for byte', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const content = '三枚の写真'
  const pictures = await makePictures(3)
  await signInByCookie(phone.page, network.url, creator)
  await write(phone.page, network.url, { content, files: pictures.map((it) => it.path) })
  await press(phone.page, network.url)
  const post = await waitForPost(server.url, content)
  await expect.poll(() => originals(server.url, post)).toEqual(pictures.map((it) => it.sha256))

  const { page } = await newPhone()
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/post/${post.id}`)
  const shown = page.getByRole('main').getByRole('img', { name: /3枚中/ })
  await expect(shown.first()).toBeVisible()
  await expect
    .poll(() => shown.first().evaluate((it) => (it as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

for (const at of ['/post/upload2', '/post/upload']) {
  test(
    `the description of a picture is its alternative text, from ${at}`,
    { tag: '@deep' },
    async ({ server, network, phone, newPhone }) => {
      const content = `説明のある写真 ${at}`
      const files = (await makePictures(2)).map((it) => it.path)
      await signInByCookie(phone.page, network.url, creator)
      await write(phone.page, network.url, { content, files, at })
      await phone.page.getByRole('button', { name: 'picture-2.jpgに説明を付ける' }).click()
      await phone.page.getByRole('textbox', { name: '説明' }).fill('朝の海\n左に灯台')
      await phone.page.getByRole('button', { name: '保存', exact: true }).click()
      await expect(phone.page.getByRole('button', { name: 'picture-2.jpgの説明を編集' })).toBeVisible()
      await press(phone.page, network.url)
      const post = await waitForPost(server.url, content)

      const { page } = await newPhone()
      await signInByCookie(page, network.url, fan)
      await page.goto(`${network.url}/post/${post.id}`)
      const shown = page.getByRole('main').getByRole('listitem').getByRole('img')
      await expect(shown).toHaveCount(2)
      await expect(shown.first()).toHaveJSProperty('alt', '2枚中1枚目の画像')
      await expect(shown.last()).toHaveJSProperty('alt', '朝の海\n左に灯台（2枚中2枚目の画像）')
    },
  )
}
