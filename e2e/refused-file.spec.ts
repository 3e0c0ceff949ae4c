// One refused file of several: the others continue, and the person decides about it.
import type { Page } from '@playwright/test'
import { press, write } from './rig/posting/editor.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { makePictures, type Picture } from './rig/posting/pictures.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import type { Proxy } from './rig/network/proxy.ts'
import { expect, test } from './rig/story.ts'

/** Publishes three pictures, of which the server refuses the second, and opens the tray. */
async function sendThree(
  page: Page,
  network: Proxy,
  content: string,
  refusal = { status: 415, code: 'unsupported_media' },
): Promise<Picture[]> {
  const pictures = await makePictures(3)
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: pictures.map((it) => it.path) })
  const body = JSON.stringify({ error: { code: refusal.code } })
  network.once('POST /upload-chunking-2', { is: 'answered', status: refusal.status, body }, 1)
  await press(page, network.url)
  await expect(page.getByText('エラーが発生しました。再度投稿をお試しください。').first()).toBeVisible()
  await page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()
  await expect(page.getByText('送信済み', { exact: false })).toHaveCount(2)
  return pictures
}

test('a refused picture is removed, and the post is published without it', async ({
  server,
  network,
  phone,
}) => {
  const content = '二枚になった写真'
  const pictures = await sendThree(phone.page, network, content)
  await phone.page.getByRole('button', { name: 'picture-2.jpgを投稿から外す' }).click()
  await phone.page.getByRole('alertdialog').getByRole('button', { name: '外す' }).click()
  const post = await waitForPost(server.url, content)
  await expect.poll(() => originals(server.url, post)).toEqual([pictures[0]?.sha256, pictures[2]?.sha256])
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

test(
  'a refused picture is retried, and the post is published complete',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '三枚そろった写真'
    // After a temporary refusal a retry is offered; after 415 it is not.
    const pictures = await sendThree(phone.page, network, content, { status: 403, code: 'forbidden' })
    await phone.page.getByRole('button', { name: 'picture-2.jpgをもう一度送信' }).click()
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual(pictures.map((it) => it.sha256))
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)
