// The player of longer videos: speed, quality, and the stored position.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { postView } from '#contract/posts/posts.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { creator, fan, signInByCookie, signIn } from './rig/people/people.ts'
import { getAs } from './rig/people/sessions.ts'
import { until } from './rig/network/ports.ts'
import { hasFfmpeg } from './rig/network/programs.ts'
import { publishVideo } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

const film = join(import.meta.dirname, '..', 'server', 'testing', 'fixtures', 'h264-360p-62s.mp4')

/** Publishes a video of 360 lines and waits for its smaller rendition. */
async function publishFilm(url: string): Promise<string> {
  const id = await publishVideo(url, await readFile(film), 'a-minute.mp4')
  await until(
    async () => {
      const { access } = v.parse(postView, await (await getAs(url, fan, `/posts/${id}`)).json())
      const [media] = access.is === 'full' ? access.media : []
      if (media?.kind !== 'video' || media.hls === undefined) return undefined
      return (await (await fetch(url + media.hls)).text()).includes('240p') ? true : undefined
    },
    'a smaller rendition',
    90_000,
  )
  return id
}

const seen = (page: Page) =>
  page.locator('video').evaluate((it) => {
    const { playbackRate: rate, videoHeight: height, currentTime: at, paused } = it as HTMLVideoElement
    return { rate, height, at, paused }
  })

const reached = async (page: Page) => (await seen(page)).at

async function chooseSetting(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '再生の設定' }).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test(
  'speed and quality are chosen, and the video resumes at its position, only for that person',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    test.skip(!hasFfmpeg(), 'smaller renditions are made by ffmpeg')
    const id = await publishFilm(server.url)
    const { page } = phone
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/post/${id}`)
    const video = page.locator('video')
    await video.press('Space')
    await expect.poll(() => reached(page)).toBeGreaterThan(0.3)

    await chooseSetting(page, '速度 1.5倍')
    await expect.poll(() => seen(page)).toMatchObject({ rate: 1.5, paused: false })
    await chooseSetting(page, '画質 240p')
    await video.evaluate((it) => ((it as HTMLVideoElement).currentTime = 30))
    await expect.poll(async () => (await seen(page)).height).toBe(240)
    await chooseSetting(page, '画質 360p')
    await video.evaluate((it) => ((it as HTMLVideoElement).currentTime = 40))
    await expect.poll(async () => (await seen(page)).height).toBe(360)
    await page.getByRole('button', { name: '再生の設定' }).click()
    await expect(page.getByRole('menuitemcheckbox', { name: '画質 360p' })).toBeChecked()
    await expect(page.getByRole('menuitemcheckbox', { name: '速度 1.5倍' })).toBeChecked()
    await pressOn(page.getByRole('menu'), 'Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect.poll(async () => (await seen(page)).rate).toBe(1.5)
    await expect.poll(() => reached(page)).toBeGreaterThan(40)
    await video.press('Space')
    await expect.poll(async () => (await seen(page)).paused).toBe(true)
    const position = await reached(page)

    // After leaving and returning, playing resumes at the stored position.
    await page.goto(`${network.url}/post/${id}`)
    await expect.poll(() => reached(page)).toBe(0)
    await video.press('Space')
    await expect.poll(() => reached(page)).toBeGreaterThan(position - 0.5)
    await video.press('Space')

    // Another person on the same device starts at the beginning.
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/${id}`)
    await video.press('Space')
    const playsFromBeginning = async () => {
      const at = await reached(page)
      return at > 0.3 && at < 20
    }
    await expect.poll(playsFromBeginning).toBe(true)
  },
)
