// AVIF becomes JPEG or WebP on the device: upright, in sRGB, transparent and moving.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { defined } from '#contract/testing/defined.ts'
import { reload } from './rig/browsers/leaving.ts'
import { apiOf } from './rig/people/api.ts'
import { openAs, openConversation } from './rig/people/conversations.ts'
import { creator, fan, kami, signInByCookie } from './rig/people/people.ts'
import { draftHas, openEditor, pick, storedFiles } from './rig/posting/picked.ts'
import { expect, test } from './rig/story.ts'

const avif = (name: string) => join(import.meta.dirname, 'fixtures/avif', name)
const notice = (page: Page) =>
  page.getByText(/^moving\.(webp|png)：この端末では動きを変換できなかったため、最初の1コマだけを送ります。/)

/** Pixels of the first frame at parts of its width and height, 0 to 1. */
async function pixelsAt(bytes: Buffer, places: readonly (readonly [number, number])[]): Promise<number[][]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return places.map(([x, y]) => {
    const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 4
    return [...data.subarray(at, at + 4)]
  })
}
/** Values of a pixel that a lossy format changes by less than 13. */
const near = (pixel: number[]): unknown[] => pixel.map((it) => expect.closeTo(it, -1.4))

/** What a picture says of itself beside its pixels. */
async function metadataOf(bytes: Buffer): Promise<Buffer[]> {
  const { exif, xmp, iptc } = await sharp(bytes).metadata()
  return [exif, xmp, iptc].filter((it) => it !== undefined)
}

/** Red, green and blue in the left half, nothing in the right one. */
async function expectMoves(moving: Buffer): Promise<void> {
  // Settled: bytes that were read.
  expect(await sharp(moving, { animated: true }).metadata()).toMatchObject({
    pages: 3,
    delay: [200, 200, 200],
    loop: 0,
    hasAlpha: true,
  })
  for (const [frame, colour] of [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ].entries()) {
    const picture = await sharp(moving, { page: frame }).png().toBuffer()
    const [left = [], right = []] = await pixelsAt(picture, [
      [0.2, 0.5],
      [0.9, 0.5],
    ])
    expect([left, right[3]]).toEqual([near([...colour, 255]), 0])
  }
}

/** Its left half was red; it is turned by 90° and mirrored. */
async function expectTurned(turned: Buffer): Promise<void> {
  // Settled: bytes that were read.
  expect(await sharp(turned).metadata()).toMatchObject({ width: 32, height: 48 })
  const [top = [], bottom = []] = await pixelsAt(turned, [
    [0.5, 0.1],
    [0.5, 0.9],
  ])
  expect([top, bottom[3]]).toEqual([near([255, 0, 0, 255]), 0])
}

/** (200, 100, 50) in Display P3; and 20, 60, 203 and 1,000 cd/m² of PQ, from dark to white. */
async function expectColours(p3: Buffer, pq: Buffer): Promise<void> {
  const [flat] = await pixelsAt(p3, [[0.5, 0.5]])
  expect(flat).toEqual(near([215, 93, 31, 255]))
  const ramp = await pixelsAt(
    pq,
    [0.1, 0.35, 0.6, 0.9].map((x) => [x, 0.5]),
  )
  const [dark = 0, dim = 0, white = 0, light = 0] = ramp.map((it) => it[0])
  expect([dark < 70, dark + 20 < dim, dim + 40 < white, white < light, light > 240]).toEqual(
    Array(5).fill(true),
  )
}

/** The worker answers as in a browser that cannot read frames one by one. */
const withoutFrames = (page: Page) =>
  page.addInitScript(() => {
    const Real = window.Worker
    window.Worker = class extends Real {
      override postMessage(message: object): void {
        if (!('moving' in message)) return super.postMessage(message)
        const data = { is: 'failed', why: 'no frames can be drawn here' }
        setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })))
      }
    }
  })

test(
  'an AVIF is stored as another format, with the picture that the browser shows',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await openEditor(page, network.url)
    await pick(page, ['moving.avif', 'turned.avif', 'p3.avif', 'pq.avif'].map(avif))
    await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(4)
    const files = await storedFiles(page)
    expect(files.map(({ name, mime }) => [name, mime])).toEqual([
      ['moving.webp', 'image/webp'],
      ['turned.webp', 'image/webp'],
      ['p3.jpg', 'image/jpeg'],
      ['pq.jpg', 'image/jpeg'],
    ])
    const [moving, turned, p3, pq] = files.map((it) => it.bytes).map(defined)
    // Settled: a stored file does not change.
    expect((await Promise.all(files.map((it) => metadataOf(it.bytes)))).flat()).toEqual([])
    await expectMoves(defined(moving))
    await expectTurned(defined(turned))
    await expectColours(defined(p3), defined(pq))
  },
)

test(
  'where a browser reads no frames, the first is sent, which is said before sending',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await withoutFrames(page)
    await openEditor(page, network.url)
    await pick(page, [avif('moving.avif')])
    await expect(notice(page)).toBeVisible()
    const [file] = await storedFiles(page)
    // Settled: a stored file does not change.
    expect((await sharp(defined(file).bytes).metadata()).pages ?? 1).toBe(1)
    await reload(page, draftHas('moving.webp'))
    await expect(notice(page)).toBeVisible()
    await page.getByRole('button', { name: 'moving.webpを外す' }).click()
    await expect(notice(page)).toHaveCount(0)

    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, kami)])
    await openConversation(a, b)
    await openAs(page, network.url, fan, b.id)
    await page.getByRole('button', { name: '画像・動画を追加' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: '写真・動画を選択' }).click()
    await (await chooser).setFiles([avif('moving.avif')])
    await expect(notice(page)).toBeVisible()
  },
)

test('an AVIF becomes a profile picture', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/profile/edit`)
  await page.getByLabel('アイコンを変更').last().setInputFiles(avif('p3.avif'))
  const sheet = page.getByRole('dialog', { name: '表示する範囲' })
  await expect(sheet.getByRole('slider', { name: '拡大' })).toBeVisible()
  await sheet.getByRole('button', { name: 'この範囲を使う' }).click()
  await expect(page.getByText('画像を変更しました。')).toBeVisible()
})
