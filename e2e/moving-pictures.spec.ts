// Moving pictures: still where motion is reduced, played and stopped on request.
import type { Locator } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { apiOf } from './rig/people/api.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { moving, publishReady } from './rig/posting/pictures.ts'
import { expect, test } from './rig/story.ts'

/** Expects a loaded picture: its first frame alone, or the moving one. */
async function expectShown(picture: Locator, is: 'still' | 'moving'): Promise<void> {
  const address = () =>
    picture.evaluate((it) => {
      const { complete, naturalWidth, currentSrc } = it as HTMLImageElement
      return complete && naturalWidth > 0 ? (currentSrc.includes('/still') ? 'still' : 'moving') : 'none'
    })
  await expect.poll(address).toBe(is)
}

test(
  'a moving picture is still where motion is reduced, and moves in feed, post and viewer once it is played',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const { id } = await apiOf(server.url, creator)
    await publishReady(server.url, '動く画像です', [{ name: 'moving.gif', bytes: await moving() }])
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/profile/${id}`)
    const card = page.getByRole('article').filter({ hasText: '動く画像です' })
    const inCard = card.getByRole('img', { name: '1枚中1枚目' })
    const button = (action: '再生' | '停止') => page.getByRole('button', { name: `動く画像を${action}` })
    await expectShown(inCard, 'still')
    await expectNoViolations(page)
    await button('再生').click()
    await expectShown(inCard, 'moving')
    // The press has not opened the post.
    await expect(page).toHaveURL(new RegExp(`/profile/${id}`))

    await card.getByRole('link', { name: /1枚中1枚目/ }).click()
    const enlarge = page.getByRole('button', { name: /1枚中1枚目/ })
    await expectShown(enlarge.getByRole('img'), 'moving')
    await button('停止').click()
    await expectShown(enlarge.getByRole('img'), 'still')
    await expectNoViolations(page)

    await enlarge.click()
    const viewer = page.getByRole('dialog', { name: '画像の拡大表示' })
    await expectShown(viewer.locator('img'), 'still')
    await viewer.getByRole('button', { name: '動く画像を再生' }).click()
    await expectShown(viewer.locator('img'), 'moving')
    await expectNoViolations(page)
  },
)

test(
  'elsewhere it moves until it is stopped, also after a look at another page',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const { id } = await apiOf(server.url, creator)
    await publishReady(server.url, '止める画像です', [{ name: 'moving.gif', bytes: await moving() }])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/profile/${id}`)
    const card = page.getByRole('article').filter({ hasText: '止める画像です' })
    const picture = card.getByRole('img', { name: '1枚中1枚目' })
    await expectShown(picture, 'moving')
    await card.getByRole('button', { name: '動く画像を停止' }).click()
    await expectShown(picture, 'still')
    await page.getByRole('link', { name: '検索' }).first().click()
    await expect(page).toHaveURL(/search/)
    await page.goBack()
    await expectShown(picture, 'still')
  },
)
