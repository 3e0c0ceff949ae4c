// The browser evicts the storage during an upload, and the loss is shown.
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { press, write } from './rig/posting/editor.ts'
import { sendPart, waitUntilDelivered } from './rig/posting/delivery.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test('after storage is evicted during an upload, the loss is shown once, and the next post is sent', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const { page } = phone
  const lost = page.getByRole('alertdialog', { name: '送信前の投稿が失われました' })
  await sendPart({ server, network, phone, largeVideo }, '消された投稿', 0.1)
  // The page records pending posts after its first read of the device.
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('todoke_unsent=')
  const debug = await phone.cdp()
  // Browsers evict these together, but not cookies.
  await debug.send('Storage.clearDataForOrigin', {
    origin: network.url,
    storageTypes: 'indexeddb,cache_storage,service_workers,local_storage',
  })
  // A page whose worker was deleted reloads itself, sometimes before this call.
  // oxlint-disable-next-line house/story-leaving -- what the device had stored was deleted above
  await page.reload().catch(() => undefined)
  await expect(lost).toContainText('送信が終わっていなかった投稿1件は、ファイルとともに失われました')
  await lost.getByRole('button', { name: '確認しました' }).click()
  await expect(lost).toHaveCount(0)
  // The page has created the database again.
  await write(page, network.url, { content: '消えたあとの投稿' })
  await press(page, network.url)
  await waitForPost(server.url, '消えたあとの投稿')
  await waitUntilDelivered({ phone })
  await reload(page, nothingWritten)
  await expect(page.getByRole('article').getByText('消えたあとの投稿').first()).toBeVisible()
  await expect(lost).toHaveCount(0)
  // Settled: the device has no jobs, as awaited before the reload.
  expect(await postsWithText(server.url, '消された投稿')).toEqual([])
})

test(
  'after the database of an open page is deleted, writing continues in a new one',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const content = '土台が替わっても届く'
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '前の下書き' })
    const debug = await phone.cdp()
    await debug.send('Storage.clearDataForOrigin', { origin: network.url, storageTypes: 'indexeddb' })
    // The page, whose connection was closed, is not reloaded.
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    await expect(page.getByText('下書きを保存しました')).toBeVisible()
    await press(page, network.url)
    await waitForPost(server.url, content)
    await waitUntilDelivered({ phone })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)
