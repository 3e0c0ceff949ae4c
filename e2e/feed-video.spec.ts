// Videos in a feed: a poster until pressed; one plays at a time.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fan, signInByCookie } from './rig/people/people.ts'
import { publishVideo } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

const fixtures = join(import.meta.dirname, '..', 'server', 'testing', 'fixtures')

const posters = (page: Page) => page.getByRole('feed').getByRole('button', { name: /動画を再生/ })
const playing = (page: Page) =>
  page
    .locator('video')
    .evaluateAll((all) => all.map((it) => !(it as HTMLVideoElement).paused && it === document.activeElement))

test(
  'a video shows its poster and length until it is pressed, and a second one pauses the first',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const bytes = await readFile(join(fixtures, 'h264-65s.mp4'))
    for (const name of ['one.mp4', 'two.mp4']) await publishVideo(server.url, bytes, name)
    // One of the two posters cannot be loaded.
    let broken = 0
    await phone.context.route('**/poster*', (it) => (broken++ === 0 ? it.abort() : it.continue()))
    const requested: string[] = []
    page.on('request', (it) => requested.push(it.url()))
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/?tab=latest`)
    await expect(posters(page).filter({ hasText: '1:05' })).toHaveCount(2)
    await expect(page.getByAltText('cannot show this file')).toBeVisible()
    await expect(page.locator('video')).toHaveCount(0)
    expect(requested.filter((it) => /\.(mp4|m3u8|m4s)|\/play/.test(it))).toEqual([])

    // By keyboard the focus moves into the player.
    await posters(page).first().press('Enter')
    await expect.poll(() => playing(page)).toEqual([true])
    await expect(posters(page).filter({ hasText: '1:05' })).toHaveCount(1)
    await posters(page).filter({ hasText: '1:05' }).click()
    await expect.poll(() => playing(page)).toEqual([false, true])
  },
)
