// 投稿 sends the draft on the screen, or shows why it cannot be sent.
import type { Page } from '@playwright/test'
import { jobsOnDevice } from './rig/posting/delivery.ts'
import { postButton, waitUntilStored, write } from './rig/posting/editor.ts'
import { reload } from './rig/browsers/leaving.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const content = (page: Page) => page.getByRole('textbox', { name: '本文' })
const saved = (page: Page) => page.getByText('下書きを保存しました')

/** Makes writes of drafts fail in later pages while `window.full` is set. */
const fillable = `{
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (...given) {
    if (window.full && this.name === 'drafts') throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, given)
  }
}`

/** Signs the creator in and writes a draft, until it is stored. */
async function begin(page: Page, url: string, words: string): Promise<Page> {
  await signInByCookie(page, url, creator)
  await write(page, url, { content: words })
  await expect(saved(page)).toBeVisible()
  return page
}

test('on a full device the text stays on screen and the reason is shown', async ({
  server,
  network,
  phone,
}) => {
  await signInByCookie(phone.page, network.url, creator)
  await phone.page.goto(`${network.url}/settings`)
  await expect(phone.page.getByRole('heading', { name: '設定' }).first()).toBeVisible()
  await phone.stop()
  await phone.start()
  const { page } = phone
  const debug = await phone.cdp()
  await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: 1 })
  await page.goto(`${network.url}/post/upload2`)
  await content(page).fill('満員でも消えない')
  await expect(page.getByText('下書きを保存できませんでした')).toBeVisible()
  await postButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'この端末の空き容量が足りないため' })).toBeVisible()
  await expect(content(page)).toHaveValue('満員でも消えない')
  await expect(page).toHaveURL(/\/post\/upload2/)
  // Settled: the alert refuses the press, and the text is still in the editor.
  expect(await postsWithText(server.url, '満員でも消えない')).toEqual([])
  await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url })
})

test(
  'after the database was cleared, 投稿 sends the text on screen without further typing',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const page = await begin(phone.page, network.url, '打たずに押す')
    const debug = await phone.cdp()
    await debug.send('Storage.clearDataForOrigin', { origin: network.url, storageTypes: 'indexeddb' })
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, '打たずに押す')
  },
)

test(
  'a draft discarded in another tab stays on screen with a notice, and can be posted',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const page = await begin(phone.page, network.url, '向こうで破棄')
    const other = await phone.context.newPage()
    await other.goto(`${network.url}/post/upload2`)
    await expect(content(other)).toHaveValue('向こうで破棄')
    await other.getByRole('banner').getByRole('button', { name: '下書き' }).click()
    await other.getByRole('button', { name: '「向こうで破棄」を破棄' }).click()
    await other.getByRole('button', { name: '破棄する', exact: true }).click()
    await expect(other.getByText('下書きを破棄しました。')).toBeVisible()
    await expect(page.getByText('この下書きは、ほかのタブで破棄されました')).toBeVisible()
    await expect(content(page)).toHaveValue('向こうで破棄')
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, '向こうで破棄')
  },
)

test(
  'after a change that could not be stored, 投稿 sends the text on screen, not the stored one',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    await signInByCookie(phone.page, network.url, creator)
    const page = await phone.context.newPage()
    await page.addInitScript(fillable)
    await page.goto(`${network.url}/post/upload2`)
    await content(page).fill('古い文')
    await expect(saved(page)).toBeVisible()
    await page.evaluate('window.full = true')
    await content(page).fill('古い文より新しい文')
    await expect(page.getByText('下書きを保存できませんでした')).toBeVisible()
    await page.evaluate('window.full = false')
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, '古い文より新しい文')
    await expect.poll(() => page.evaluate(jobsOnDevice)).toBe(0)
    // Settled: the device has nothing left to send.
    expect(await postsWithText(server.url, '古い文')).toEqual([])
  },
)

test(
  'a second tab shows what the first one writes, and each posts what it shows',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const page = await begin(phone.page, network.url, 'はじめ')
    const other = await phone.context.newPage()
    await other.goto(`${network.url}/post/upload2`)
    await expect(content(other)).toHaveValue('はじめ')
    await content(other).focus()
    await content(page).fill('はじめより長くなった文章')
    await expect(content(other)).toHaveValue('はじめより長くなった文章')
    await content(other).press('End')
    await content(other).pressSequentially('！')
    await expect(content(page)).toHaveValue('はじめより長くなった文章！')
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, 'はじめより長くなった文章！')
  },
)

test('when both tabs changed the draft, the person chooses, and the other text remains as a draft', async ({
  server,
  network,
  phone,
}) => {
  const page = await begin(phone.page, network.url, '元の文')
  const other = await phone.context.newPage()
  await other.addInitScript(fillable)
  await other.goto(`${network.url}/post/upload2`)
  await expect(content(other)).toHaveValue('元の文')
  await other.evaluate('window.full = true')
  await content(other).fill('タブ2の文')
  await expect(other.getByText('下書きを保存できませんでした')).toBeVisible()
  await content(page).fill('タブ1の文')
  const question = other.getByRole('group', { name: 'この下書きは、ほかのタブでも変更されました' })
  await expect(question).toContainText('タブ1の文')
  await expect(content(other)).toHaveValue('タブ2の文')
  await other.evaluate('window.full = false')
  await postButton(other).click()
  await expect(other).toHaveURL(/\/post\/upload2/)
  await question.getByRole('button', { name: 'このタブの内容を使う' }).click()
  await expect(question).toHaveCount(0)
  await expect(content(page)).toHaveValue('タブ2の文')
  await other.getByRole('banner').getByRole('button', { name: '下書き' }).click()
  await expect(other.getByRole('button', { name: /^タブ1の文/ })).toBeVisible()
  await other.getByRole('button', { name: '閉じる' }).click()
  await postButton(other).click()
  await expect(other).toHaveURL(`${network.url}/`)
  await waitForPost(server.url, 'タブ2の文')
  await expect.poll(() => other.evaluate(jobsOnDevice)).toBe(0)
  // Settled: the device has nothing left to send.
  expect(await postsWithText(server.url, 'タブ1の文')).toEqual([])
})

test(
  '投稿 is refused when the row of a picture is missing, and names the picture',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const [picture] = await makePictures(1)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '写真のはずの投稿', files: [picture?.path ?? ''] })
    await waitUntilStored(page)
    await expect(page.getByRole('img', { name: 'picture-1.jpg' })).toBeVisible()
    // A reloaded page no longer has the picked file in memory.
    await reload(page, ['写真のはずの投稿', 'picture-1.jpg'])
    await expect(page.getByRole('img', { name: 'picture-1.jpg' })).toBeVisible()
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('todoke')
        opening.addEventListener('success', () => done(opening.result))
      })
      const change = database.transaction(['media', 'chunks'], 'readwrite')
      change.objectStore('media').clear()
      change.objectStore('chunks').clear()
      await new Promise((done) => change.addEventListener('complete', done))
      database.close()
    })
    await content(page).press('End')
    await content(page).pressSequentially('！')
    await postButton(page).click()
    await expect(page.getByText('「picture-1.jpg」は、この端末から失われました')).toBeVisible()
    await expect(page).toHaveURL(/\/post\/upload2/)
    await expect(content(page)).toHaveValue('写真のはずの投稿！')
    // Settled: the press was refused, and the text is still in the editor.
    expect(await postsWithText(server.url, '写真のはずの投稿！')).toEqual([])
    await page.getByRole('button', { name: 'picture-1.jpgを外す' }).click()
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, '写真のはずの投稿！')
  },
)

test(
  'after the database was cleared, the page stores draft and picture again, and they are posted',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const [picture] = await makePictures(1)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '消されても写真つき', files: [picture?.path ?? ''] })
    await waitUntilStored(page)
    await expect(saved(page)).toBeVisible()
    const debug = await phone.cdp()
    await debug.send('Storage.clearDataForOrigin', { origin: network.url, storageTypes: 'indexeddb' })
    await content(page).press('End')
    await content(page).pressSequentially('！')
    await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
    await waitUntilStored(page)
    await postButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
    const post = await waitForPost(server.url, '消されても写真つき！')
    await expect.poll(() => originals(server.url, post)).toHaveLength(1)
  },
)
