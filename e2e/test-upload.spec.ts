// /test-upload: the connection to the server is measured, and no data stays.
import { creator, signInByCookie, signIn } from './rig/people/people.ts'
import { releasedPosts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test(
  'a measurement shows its figures, and its upload is deleted without becoming a post',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page, context } = phone
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, network.url, creator)
    const ids = async () => (await releasedPosts(server.url)).map((it) => it.id)
    const before = await ids()
    const upload = page.waitForRequest((it) => it.method() === 'PUT')
    const removal = page.waitForResponse((it) => it.request().method() === 'DELETE')
    await page.goto(`${network.url}/test-upload`)
    await page.getByRole('radio', { name: '16MB' }).click()
    const sentBefore = network.bytesSent
    await page.getByRole('button', { name: '測定する' }).click()
    const result = page.getByRole('region', { name: '測定結果' })
    await expect(result).toContainText('すべて届きました。')
    await expect(result).toContainText('16.00MB / 16.00MB')
    expect(network.bytesSent - sentBefore).toBeGreaterThan(16 * 1024 * 1024)

    const address = (await upload).url().replace(/\/parts\/\d+$/, '')
    const removed = await removal
    expect([removed.url(), removed.status()]).toEqual([address, 204])
    // Settled: the upload is deleted, so nothing is left that could become a post.
    expect(await ids()).toEqual(before)

    await result.getByRole('button', { name: '結果をコピー' }).click()
    await expect(page.getByText('結果をコピーしました。')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('結果：すべて届きました。')
    expect(copied).toContain('バックグラウンド送信（Service Worker）：使えます')
  },
)

test(
  'a cut during the measurement is counted, and the measurement continues',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/test-upload`)
    network.throttle(8_000_000)
    const before = network.bytesSent
    await page.getByRole('button', { name: '測定する' }).click()
    await network.waitUntilSent(before + 7_000_000)
    network.reset()
    const result = page.getByRole('region', { name: '測定結果' })
    await expect(result).toContainText('すべて届きました。')
    await expect(result).toContainText(/再送[1-9]/)
  },
)

test('a stopped measurement is deleted as well', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/test-upload`)
  network.throttle(4_000_000)
  const before = network.bytesSent
  const removal = page.waitForResponse((it) => it.request().method() === 'DELETE')
  await page.getByRole('button', { name: '測定する' }).click()
  await network.waitUntilSent(before + 3_000_000)
  await page.getByRole('button', { name: '中止する' }).click()
  await expect(page.getByRole('region', { name: '測定結果' })).toContainText('測定を中止しました。')
  // Settled: the status of a reply.
  expect((await removal).status()).toBe(204)
})
