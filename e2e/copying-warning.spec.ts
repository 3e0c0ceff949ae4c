// Closing a page while a picked file is copied shows the browser's warning.
import type { Dialog, Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { giveName } from './rig/people/identity.ts'
import { registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

/** Tries to close the page and dismisses the warning. @returns whether the browser showed one */
async function asksBeforeClosing(page: Page): Promise<boolean> {
  const dialog = await new Promise<Dialog | undefined>((done) => {
    page.once('dialog', done)
    page.once('close', () => done(undefined))
    // oxlint-disable-next-line house/story-leaving -- whether the page may go is the question
    void page.close({ runBeforeUnload: true })
  })
  if (!dialog) return false
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  return true
}

/** Blocks copying in the pages that open after it until `window.continueCopying` is called. */
const held = `{
  const { digest } = SubtleCrypto.prototype
  let open
  const closed = new Promise((done) => (open = done))
  window.continueCopying = open
  SubtleCrypto.prototype.digest = async function (...given) {
    await closed
    return digest.apply(this, given)
  }
}`

test('closing the page while a video is copied shows a warning; with a stored draft it does not', async ({
  network,
  phone,
}) => {
  await signInByCookie(phone.page, network.url, creator)
  const page = await phone.context.newPage()
  await page.addInitScript(held)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).pressSequentially('動画の下書き')
  const video = makeVideo(`${temporaryFolder('copying')}/film.mp4`, 6_000_000)
  await page.getByLabel('画像・動画を追加').setInputFiles([video.path])
  await expect(page.getByRole('progressbar', { name: 'film.mp4をこの端末に保存中' })).toBeVisible()
  // Settled: the page warns from the beginning of the copying, which the story holds.
  expect(await asksBeforeClosing(page)).toBe(true)
  await page.evaluate('window.continueCopying()')
  await expect(page.getByRole('progressbar', { name: /この端末に保存中$/ })).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'サムネイル' })).toBeVisible()
  await expect.poll(() => asksBeforeClosing(page)).toBe(false)
})

test(
  'closing the page while a document photo is copied shows a warning',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [front] = await makePictures(1)
    await signInByCookie(phone.page, network.url, await registerPerson(server))
    const page = await phone.context.newPage()
    await page.addInitScript(held)
    await page.goto(`${network.url}/user/verification`)
    await page.getByRole('link', { name: '本人確認を始める' }).click()
    await giveName(page)
    await page.getByRole('radio', { name: '運転免許証' }).click()
    await page.getByRole('button', { name: '次へ' }).click()
    await page.getByLabel('撮影する').setInputFiles(defined(front).path)
    await expect(page.getByText('この端末に保存しています')).toBeVisible()
    // Settled: as above. A page that does not ask would be closed by a second look.
    expect(await asksBeforeClosing(page)).toBe(true)
    await page.evaluate('window.continueCopying()')
    await expect(page.getByRole('img', { name: '撮影した表面' })).toBeVisible()
    await expect.poll(() => asksBeforeClosing(page)).toBe(false)
  },
)
