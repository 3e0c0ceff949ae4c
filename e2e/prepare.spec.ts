// Preparing a picked file for upload: detection by bytes, conversion, scaling, metadata.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { reload } from './rig/browsers/leaving.ts'
import { openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const odd = (name: string) => join(fixtures, 'odd', name)

const refusals = (page: Page) => page.getByRole('alert').getByText('not support file')

test('unusual files are recognised by their bytes, or refused as unsupported', async ({ network, phone }) => {
  const { page } = phone
  await openEditor(page, network.url)
  const refused = ['html-named.jpg', 'html-named.svg', 'l.m3u8', 's.bmp']
  await pick(page, refused.map(odd))
  await expect(refusals(page)).toHaveCount(refused.length)
  await expect(filesInDraft(page)).toHaveCount(0)

  await pick(page, ['anim.gif', 'bare.svg', 'evil.svg'].map(odd))
  await expect(filesInDraft(page)).toHaveCount(3)
  // Settled: a stored file does not change.
  expect((await storedFiles(page)).map(({ name, mime }) => [name, mime])).toEqual([
    ['anim.gif', 'image/gif'],
    ['bare.svg', 'image/svg+xml'],
    ['evil.svg', 'image/svg+xml'],
  ])
  const [gif] = await storedFiles(page)
  expect(gif?.bytes).toEqual(readFileSync(odd('anim.gif')))
})

test(
  'a video with another extension is recognised, with its frame and length',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const film = join(temporaryFolder('prepare'), 'film.png')
    copyFileSync(join(fixtures, 'h264.mp4'), film)
    await openEditor(page, network.url)
    await pick(page, [film])
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
    const [row, frame] = await storedFiles(page)
    expect(row).toMatchObject({ name: 'film.mp4', kind: 'video', mime: 'video/mp4' })
    expect(row?.bytes).toEqual(readFileSync(film))
    // Settled: a stored file does not change.
    expect((await sharp(frame?.bytes).metadata()).format).toBe('jpeg')
  },
)

test(
  'a QuickTime file named mp4 gets its own extension and requires a thumbnail',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await openEditor(page, network.url)
    await pick(page, [odd('mov-named.mp4')])
    await expect(filesInDraft(page)).toHaveCount(1)
    const [row] = await storedFiles(page)
    expect(row).toMatchObject({ name: 'mov-named.mov', kind: 'video', mime: 'video/quicktime' })
  },
)

test('photos are scaled and lose their location; the switch keeps the size, not the location', async ({
  network,
  phone,
}) => {
  const { page } = phone
  const folder = temporaryFolder('prepare')
  const [large, small] = [join(folder, 'large.jpg'), join(folder, 'small.jpg')]
  for (const [path, width, height] of [
    [large, 4000, 3000],
    [small, 800, 600],
  ] as const) {
    await sharp({ create: { width, height, channels: 3, background: '#c83c28' } })
      .withExif({
        IFD0: { Copyright: 'photographer' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 41/1 22/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(path)
    // Settled: a file that the story has made.
    expect((await sharp(path).metadata()).exif?.length).toBeGreaterThan(60)
  }
  await openEditor(page, network.url)
  await pick(page, [large, small])
  await expect(filesInDraft(page)).toHaveCount(2)
  await page.getByRole('switch', { name: '写真を元のサイズで送信する' }).click()
  await pick(page, [large])
  await expect(filesInDraft(page)).toHaveCount(3)
  const rows = await storedFiles(page)
  const seen = await Promise.all(rows.map((it) => sharp(it.bytes).metadata()))
  // A re-encoded picture is upright; an original keeps its orientation tag.
  expect(seen.map(({ width, height, orientation }) => [width, height, orientation])).toEqual([
    [1920, 2560, undefined],
    [800, 600, 6],
    [4000, 3000, 6],
  ])
  for (const it of rows) expect(it.bytes.includes('photographer')).toBe(false)
  // An original has no more than its orientation, a picture made again nothing.
  for (const it of seen) if (it.exif) expect(it.exif.length).toBeLessThanOrEqual(32)
})

/** A noisy picture with a red corner at the top left. */
const withCorner = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#3c6428',
      noise: { type: 'gaussian', mean: 90, sigma: 20 },
    },
  }).composite([
    { input: { create: { width: 16, height: 8, channels: 3, background: '#f00' } }, left: 0, top: 0 },
  ])

/** Whether each corner is red: top left, top right, bottom left, bottom right. */
async function redCorners(bytes: Buffer): Promise<boolean[]> {
  const { data, info } = await sharp(bytes).rotate().removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isRed = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels
    return (data[at] ?? 0) > 180 && (data[at + 1] ?? 255) < 90
  }
  const [right, bottom] = [info.width - 3, info.height - 3]
  return [isRed(2, 2), isRed(right, 2), isRed(2, bottom), isRed(right, bottom)]
}

test(
  'a WebP that its Exif turns is upright in each of the eight orientations',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const folder = temporaryFolder('prepare')
    const picture = await withCorner(64, 32).png().toBuffer()
    const orientations = [1, 2, 3, 4, 5, 6, 7, 8]
    const files = await Promise.all(
      orientations.map(async (orientation) => {
        const file = join(folder, `${orientation}.webp`)
        await sharp(picture).withMetadata({ orientation }).webp().toFile(file)
        return file
      }),
    )
    await openEditor(page, network.url)
    await pick(page, files)
    await expect(filesInDraft(page)).toHaveCount(8)
    const stored = await storedFiles(page)
    const shown = await Promise.all(stored.map(({ bytes }) => redCorners(bytes)))
    const picked = await Promise.all(files.map((it) => redCorners(readFileSync(it))))
    // Settled: a stored file does not change.
    expect(shown).toEqual(picked)
    const metadata = await Promise.all(stored.map(({ bytes }) => sharp(bytes).metadata()))
    expect(metadata.map((it) => it.exif)).toEqual(orientations.map(() => undefined))
  },
)

test(
  'pictures that are cut off are kept as far as they go, and refused with the reason where nothing is there',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const folder = temporaryFolder('prepare')
    const [png, jpeg] = await Promise.all([
      withCorner(300, 200).png().toBuffer(),
      withCorner(300, 200).jpeg().toBuffer(),
    ])
    // A header that names 4,295 million pixels.
    const huge = Buffer.from(png)
    huge.writeUInt32BE(65_536, 16)
    huge.writeUInt32BE(65_536, 20)
    const files = {
      'half.png': png.subarray(0, png.length / 2),
      'half.jpg': jpeg.subarray(0, jpeg.length / 2),
      'header.jpg': jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])) + 16),
      'huge.png': huge,
    }
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
    await openEditor(page, network.url)
    await pick(
      page,
      Object.keys(files).map((it) => join(folder, it)),
    )
    const alerts = page.getByRole('main').getByRole('alert')
    await expect(alerts.getByText('header.jpg：画像を表示できません')).toBeVisible()
    await expect(alerts.getByText('huge.png：画像が大きすぎます')).toBeVisible()
    await expect(filesInDraft(page)).toHaveCount(2)
    // Settled: a stored file does not change.
    expect((await storedFiles(page)).map(({ name }) => name)).toEqual(['half.png', 'half.jpg'])
  },
)

test('a picture can be described', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await openEditor(page, network.url)
  await pick(page, [odd('anim.gif')])
  await page.getByRole('button', { name: 'anim.gifに説明を付ける' }).click()
  await page.getByRole('textbox', { name: '説明' }).fill('赤い四角')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('img', { name: '赤い四角' })).toBeVisible()
  await reload(page, ['赤い四角'])
  await expect(page.getByRole('button', { name: 'anim.gifの説明を編集' })).toBeVisible()
})
