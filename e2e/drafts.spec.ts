// Several drafts on one device, each with its files and its owner.
import type { Locator, Page } from '@playwright/test'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { postButton, press, waitUntilStored, write } from './rig/posting/editor.ts'
import { killPhone, nothingWritten, reload } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

const content = (page: Page): Locator => page.getByRole('textbox', { name: '本文' })
const files = (page: Page): Locator => page.getByRole('button', { name: /を外す$/ })
const list = (page: Page): Locator => page.getByRole('dialog', { name: '下書き' })

async function openList(page: Page): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: '下書き' }).click()
  await expect(list(page)).toBeVisible()
  return list(page)
}

/** Starts another draft and waits until its text is stored. */
async function begin(page: Page, words: string): Promise<void> {
  await (await openList(page)).getByRole('button', { name: '新しい下書きを始める' }).click()
  await expect(content(page)).toHaveValue('')
  await content(page).fill(words)
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
}

test('two drafts with files survive a killed browser, and each is posted by itself', async ({
  server,
  network,
  phone,
}) => {
  const pictures = (await makePictures(2)).map((it) => it.path)
  await signInByCookie(phone.page, network.url, creator)
  await write(phone.page, network.url, { content: '写真の下書き', files: pictures })
  await waitUntilStored(phone.page)
  await begin(phone.page, '言葉の下書き')

  await killPhone(phone, ['写真の下書き', '言葉の下書き'])
  await phone.start()
  const { page } = phone
  await page.goto(`${network.url}/post/upload2`)
  await expect(content(page)).toHaveValue('言葉の下書き')
  const drafts = await openList(page)
  await expect(drafts.getByRole('listitem')).toHaveCount(2)
  await expect(drafts.getByRole('listitem').first()).toContainText('編集中')
  await drafts.getByRole('button', { name: /^写真の下書き.*画像2枚/ }).click()
  await expect(content(page)).toHaveValue('写真の下書き')
  await expect(files(page)).toHaveCount(2)
  // Which draft is open is in the address.
  await expect(page).toHaveURL(/draft=/)
  await reload(page, nothingWritten)
  await expect(content(page)).toHaveValue('写真の下書き')

  await press(page, network.url)
  await waitForPost(server.url, '写真の下書き')
  await page.goto(`${network.url}/post/upload2`)
  await expect(content(page)).toHaveValue('言葉の下書き')
  await waitUntilDelivered({ phone })
  // Settled: the device has nothing left to send.
  expect(await postsWithText(server.url, '言葉の下書き')).toEqual([])
})

test('a draft is discarded only after a question', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content: '捨てる下書き' })
  await begin(page, '残す下書き')
  const drafts = await openList(page)
  await drafts.getByRole('button', { name: '「捨てる下書き」を破棄' }).click()
  await page.getByRole('button', { name: 'キャンセル' }).click()
  await expect(drafts.getByRole('listitem')).toHaveCount(2)
  await drafts.getByRole('button', { name: '「捨てる下書き」を破棄' }).click()
  await page.getByRole('button', { name: '破棄する', exact: true }).click()
  await expect(drafts.getByRole('listitem')).toHaveCount(1)

  // Discarding the open draft empties the editor.
  await drafts.getByRole('button', { name: '「残す下書き」を破棄' }).click()
  await page.getByRole('button', { name: '破棄する', exact: true }).click()
  await expect(drafts.getByText('下書きはありません')).toBeVisible()
  await drafts.getByRole('button', { name: '閉じる' }).click()
  await expect(content(page)).toHaveValue('')
  await page.goto(`${network.url}/post/upload2`)
  await expect(content(page)).toHaveValue('')
  await expect(postButton(page)).toBeDisabled()
})

test(
  'another person on this device does not see a draft, even by its address',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: 'ひとに見せない' })
    const drafts = await openList(page)
    await drafts.getByRole('button', { name: '新しい下書きを始める' }).click()
    await (await openList(page)).getByRole('button', { name: /^ひとに見せない/ }).click()
    await expect(page).toHaveURL(/draft=/)
    const address = page.url()
    await page.goto(`${network.url}/`)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'ログアウトする' }).click()
    await expect(page).toHaveURL(/\/login/)
    await signInByCookie(page, network.url, fan)
    await page.goto(address)
    await expect(content(page)).toHaveValue('')
    const own = await openList(page)
    await expect(own.getByText('下書きはありません')).toBeVisible()
  },
)

test(
  'each address opens its own kind of draft, and the list leads to both',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '続きから送る下書き' })
    await expect(page.getByText('下書きを保存しました')).toBeVisible()
    await page.goto(`${network.url}/post/upload`)
    await expect(content(page)).toHaveValue('')
    await content(page).fill('順に送る下書き')
    await expect(page.getByText('下書きを保存しました')).toBeVisible()
    await (await openList(page)).getByRole('button', { name: /^続きから送る下書き/ }).click()
    await expect(page).toHaveURL(/\/post\/upload2\?draft=/)
    await expect(content(page)).toHaveValue('続きから送る下書き')
    await (await openList(page)).getByRole('button', { name: /^順に送る下書き/ }).click()
    await expect(page).toHaveURL(/\/post\/upload\?draft=/)
    await expect(content(page)).toHaveValue('順に送る下書き')
  },
)

test('text typed during a read of the database remains', async ({ network, phone }) => {
  const { page } = phone
  // A device whose database answers slowly.
  await page.addInitScript(`{
    const { query } = LockManager.prototype
    let open
    const closed = new Promise((done) => (open = done))
    window.gate = { waiting: 0, open }
    LockManager.prototype.query = async function () {
      window.gate.waiting += 1
      await closed
      return query.call(this)
    }
  }`)
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  await expect(content(page)).toHaveValue('')
  const video = makeVideo(`${temporaryFolder('typed')}/film.mp4`, 12_000_000)
  await page.getByLabel('画像・動画を追加').setInputFiles([video.path])
  await expect.poll(() => page.evaluate('window.gate.waiting')).toBeGreaterThan(0)
  await content(page).pressSequentially('書きかけ')
  await page.evaluate('window.gate.open()')
  await waitUntilStored(page)
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
  await content(page).pressSequentially('の言葉')
  await expect(content(page)).toHaveValue('書きかけの言葉')
})
