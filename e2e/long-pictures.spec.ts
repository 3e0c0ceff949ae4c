// Strips and panoramas: the whole is seen in the viewer, in messages and by staff.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { apiOf } from './rig/people/api.ts'
import { messagesOf, openAs, openConversation } from './rig/people/conversations.ts'
import { admin, creator, fan, signInByCookie } from './rig/people/people.ts'
import { ladder, moving, publishReady } from './rig/posting/pictures.ts'
import { expect, test } from './rig/story.ts'

// Messages and reports would be visible to other stories.
test.use({ ownServer: 'file' })

const large = (page: Page) => page.getByRole('dialog', { name: '画像の拡大表示' })

test(
  'a strip and a panorama are scrolled in the viewer',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const files = [
      { name: 'strip.jpg', bytes: await ladder(800, 9000) },
      { name: 'panorama.jpg', bytes: await ladder(6000, 600) },
    ]
    // The viewer has the pictures that are ready when it is opened.
    const post = await publishReady(server.url, '長い画像', files)
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${post}`)
    await page.getByRole('button', { name: /2枚中1枚目/ }).click()
    const strip = large(page).getByRole('region', { name: '画像を拡大する' }).first()
    const parts = strip.getByRole('img', { includeHidden: true }).or(strip.locator('img'))
    await expect(parts).toHaveCount(2)
    await expect(strip).toBeFocused()
    // The second part begins where the first one ends, and all of its width is shown.
    const boxes = await parts.evaluateAll((all) => all.map((it) => it.getBoundingClientRect()))
    expect(Math.abs((boxes[0]?.bottom ?? 0) - (boxes[1]?.top ?? 9))).toBeLessThan(0.1)
    // But for the margin of the viewer.
    expect(boxes[0]?.width).toBeGreaterThan(350)

    await large(page).getByRole('button', { name: '次の画像' }).click()
    const panorama = large(page).getByRole('region', { name: '画像を拡大する' }).last()
    await pressOn(panorama, 'End')
    await expect.poll(() => panorama.evaluate((it) => it.scrollLeft)).toBeGreaterThan(350)
    // The keys of its own direction scroll it, and do not lead back to the strip.
    await expect(panorama).toBeInViewport()
    // At its other end they do.
    await pressOn(panorama, 'Home')
    await expect.poll(() => panorama.evaluate((it) => it.scrollLeft)).toBe(0)
    await pressOn(panorama, 'ArrowLeft')
    await expect(strip).toBeInViewport()
    await expect(panorama).not.toBeInViewport()
  },
)

/** One finger from one place to another above the buttons, as a touch screen reports it. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 250 }] })
  await send('touchStart', from)
  for (let step = 1; step <= 8; step++) await send('touchMove', from + ((to - from) * step) / 8)
  await send('touchEnd')
  await cdp.detach()
}

test(
  'a finger pans a panorama, and leads on from its end',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const files = [
      { name: 'panorama.jpg', bytes: await ladder(2400, 600) },
      { name: 'strip.jpg', bytes: await ladder(200, 900) },
    ]
    const post = await publishReady(server.url, '横から縦へ', files)
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${post}`)
    await page.getByRole('button', { name: /2枚中1枚目/ }).click()
    const regions = large(page).getByRole('region', { name: '画像を拡大する' })
    const panorama = regions.first()
    await expect(panorama).toBeInViewport({ ratio: 0.9 })
    await swipe(page, 290, 60)
    await expect.poll(() => panorama.evaluate((it) => it.scrollLeft)).toBeGreaterThan(100)
    // Not at an end when the finger was put down: it only pans.
    await expect(panorama).toBeInViewport({ ratio: 0.9 })
    await panorama.evaluate((it) => (it.scrollLeft = it.scrollWidth))
    await swipe(page, 290, 60)
    await expect(regions.last()).toBeInViewport({ ratio: 0.9 })
    await expect(panorama).not.toBeInViewport()
  },
)

/** Scrolls a strip of two parts to its end, and expects that both are shown. */
async function expectWhole(strip: Locator): Promise<void> {
  const parts = strip.locator('img')
  await expect(parts).toHaveCount(2)
  await expect(strip).toBeInViewport()
  await strip.focus()
  await pressOn(strip, 'End')
  await expect(parts.last()).toBeInViewport()
  await expect
    .poll(() => parts.evaluateAll((all) => all.every((it) => (it as HTMLImageElement).naturalHeight > 1000)))
    .toBe(true)
}

test(
  'a strip and a panorama in a message open a sheet with all of them',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    const folder = temporaryFolder('strip')
    const files = [join(folder, 'strip.jpg'), join(folder, 'panorama.jpg')] as const
    writeFileSync(files[0], await ladder(800, 9000))
    writeFileSync(files[1], await ladder(6000, 600))
    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await openAs(desk, network.url, creator, a.id)
    const chooser = desk.waitForEvent('filechooser')
    await desk.getByRole('button', { name: '画像・動画を追加' }).click()
    await (await chooser).setFiles([...files])
    await desk.getByRole('button', { name: '送信', exact: true }).click()
    await expect.poll(async () => (await messagesOf(a, b.id)).at(-1)?.body.media.length).toBe(2)
    await openAs(page, network.url, fan, b.id)
    await page.getByRole('button', { name: '2枚中1枚目の画像' }).click()
    const sheet = page.getByRole('dialog', { name: '2枚中1枚目の画像' })
    await expectNoViolations(page)
    await expectWhole(sheet.getByRole('region', { name: '2枚中1枚目の画像' }))
    await sheet.getByRole('button', { name: '閉じる' }).click()
    await page.getByRole('button', { name: '2枚中2枚目の画像' }).click()
    const panorama = page.getByRole('dialog').getByRole('region', { name: '2枚中2枚目の画像' })
    await panorama.focus()
    await pressOn(panorama, 'End')
    await expect.poll(() => panorama.evaluate((it) => it.scrollLeft)).toBeGreaterThan(350)
  },
)

test(
  'a staff member sees all of a reported strip, and plays a moving picture',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const reader = await apiOf(server.url, fan)
    const files = [
      { name: 'strip.jpg', bytes: await ladder(800, 9000) },
      { name: 'moving.gif', bytes: await moving() },
    ]
    const post = await publishReady(server.url, '通報される画像', files)
    await reader.call('PUT', `/reports/post/${post}`, { reason: 'copyright', detail: '' })
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await signInByCookie(page, network.url, admin)
    await page.goto(`${network.url}/admin/report`)
    await page.getByRole('list', { name: '通報' }).getByRole('link').first().click()
    const reported = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.locator('img') })
    await expectWhole(reported.getByRole('region', { name: '投稿' }))
    const picture = reported.last().locator('img')
    await expect(picture).toHaveJSProperty('complete', true)
    await expect(picture).toHaveAttribute('src', /\/still/)
    await page.getByRole('button', { name: '動く画像を再生' }).click()
    await expect(picture).not.toHaveAttribute('src', /\/still/)
    await expectNoViolations(page)
  },
)
