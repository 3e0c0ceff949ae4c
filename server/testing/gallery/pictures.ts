// Fixtures of /dev/media that are pictures.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { animatedPng, type DrawnFrame } from '#server/testing/media/animated-png.ts'
import { heic } from '#server/testing/pictures.ts'
import { chart, chartSvg, CHART, panels } from './charts.ts'
import type { MediaFixture } from './fixture.ts'

/** How the chart is stored so that a viewer who applies an orientation sees it upright, from 1 on: turned, then mirrored. */
const stored = [
  [0, false],
  [0, true],
  [180, false],
  [180, true],
  [90, true],
  [270, false],
  [270, true],
  [90, false],
] as const

const orientations = stored.map(([angle, isMirrored], i): MediaFixture => {
  const orientation = i + 1
  return {
    file: `orientation-${orientation}.jpg`,
    row: 'orientation (Exif)',
    name: `Exif の向き ${orientation}`,
    expected: '文字 F が正しい向き。赤が左上',
    async make() {
      const turned = await chart().rotate(angle).png().toBuffer()
      return sharp(turned).flop(isMirrored).jpeg().withMetadata({ orientation }).toBuffer()
    },
  }
})

const colours = ['#cc3322', '#22aa22', '#2244dd'] as const

/** One frame of each colour, above each other. */
async function frames(): Promise<Buffer[]> {
  return Promise.all(
    colours.map((background) =>
      sharp({ create: { ...CHART, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
}
const moving = async () => sharp(await frames(), { join: { animated: true } })
const delay = colours.map(() => 500)

const drawn = (colour: DrawnFrame['colour']): DrawnFrame => ({ ...CHART, colour, delay: 500 })
const [red, green, blue] = [drawn([204, 51, 34, 255]), drawn([34, 170, 34, 255]), drawn([34, 68, 221, 255])]

const row = 'frames of GIF, WebP and PNG'
const expected = '赤、緑、青の順に動く。動きを減らす設定では赤で止まる'
const animations: readonly MediaFixture[] = [
  {
    file: 'moving.png',
    row,
    name: 'APNG（動く PNG）',
    expected,
    make: () => animatedPng([red, green, blue]),
  },
  {
    file: 'one-frame.png',
    row,
    name: '1コマの APNG',
    expected: '赤。動かない',
    make: () => animatedPng([red]),
  },
  {
    file: 'moving.webp',
    row,
    name: '動く WebP',
    expected,
    make: async () => (await moving()).webp({ delay, loop: 0 }).toBuffer(),
  },
  {
    file: 'moving.gif',
    row,
    name: '動く GIF',
    expected,
    make: async () => (await moving()).gif({ delay, loop: 0 }).toBuffer(),
  },
]

/** Few colours, and rows stored as differences, so that a large picture has few bytes. */
const flat = { palette: true, colours: 16, dither: 0, adaptiveFiltering: true, compressionLevel: 9 }

const long: readonly MediaFixture[] = [
  {
    file: 'strip.png',
    row: 'strip: higher than 3 times its width',
    name: '縦長の画像（800×12000、100コマ）',
    expected: 'ホームは一番上。ビューアーでは100コマの番号がすべて読める',
    make: () => panels({ width: 800, height: 12_000 }, 100).png(flat).toBuffer(),
  },
  {
    file: 'panorama.png',
    row: 'panorama: wider than 3 times its height',
    name: '横長の画像（20000×1500、40コマ）',
    expected: 'ホームは中央。ビューアーでは左右に動かすと40コマの番号がすべて読める',
    make: () => panels({ width: 20_000, height: 1500 }, 40).png(flat).toBuffer(),
  },
]

/** Strong colours outside sRGB; `p3` is the profile of phones. */
const vivid = () =>
  sharp({ create: { ...CHART, channels: 3, background: '#00ff00' } }).composite([
    { input: chartSvg(true), blend: 'over' },
  ])

const profiles: readonly MediaFixture[] = [
  {
    file: 'display-p3.png',
    row: 'colour profile, Display P3 of HEIC',
    name: 'Display P3 の PNG',
    expected: '選んだファイルと同じ色。くすまない',
    make: async () =>
      sharp(await vivid().png().toBuffer())
        .withIccProfile('p3')
        .png()
        .toBuffer(),
  },
  {
    file: 'display-p3.jpg',
    row: 'colour profile, Display P3 of HEIC',
    name: 'Display P3 の JPEG',
    expected: '選んだファイルと同じ色。くすまない',
    make: async () =>
      sharp(await vivid().png().toBuffer())
        .withIccProfile('p3')
        .jpeg()
        .toBuffer(),
  },
  {
    file: 'photo.heic',
    row: 'colour profile, Display P3 of HEIC',
    name: 'Display P3 の HEIC',
    expected: 'JPEG に変換され、どの端末でも表示される',
    make: () => heic('syn-p3flat.heic'),
  },
  {
    file: 'ten-bit.heic',
    row: 'colour profile, Display P3 of HEIC',
    name: '10 bit の HEIC',
    expected: 'JPEG に変換され、どの端末でも表示される',
    make: () => heic('syn-10bit.heic'),
  },
  {
    file: 'sixteen-bit.png',
    name: '16 bit の PNG',
    expected: '選んだファイルと同じ',
    make: () => chart().toColourspace('rgb16').png().toBuffer(),
  },
  {
    file: 'transparent.png',
    name: '透明な PNG',
    expected: '右下に背景の色が見える。ビューアーの背景は黒',
    make: () => sharp(chartSvg(true)).png().toBuffer(),
  },
  {
    file: 'cmyk.jpg',
    name: 'CMYK の JPEG',
    expected: '選んだファイルに近い色。変換はブラウザーと同じではない',
    make: () => chart().toColourspace('cmyk').jpeg().toBuffer(),
  },
]

/** The chart with noise, so that its file has some kilobytes at every height. */
const noisy = () =>
  sharp({
    create: {
      ...CHART,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .composite([{ input: chartSvg(true), blend: 'over' }])
    .jpeg()
    .toBuffer()

const broken: readonly MediaFixture[] = [
  {
    file: 'cut.jpg',
    row: 'bytes that are missing (JPEG, PNG, GIF)',
    name: '途中で切れた JPEG（はじめの60%）',
    expected: 'ブラウザーが表示できるところまで、どこでも同じように見える',
    make: async () => {
      const whole = await noisy()
      return whole.subarray(0, Math.round(whole.length * 0.6))
    },
  },
  {
    file: 'broken.jpg',
    row: 'nothing that can be decoded, or a header without pixels',
    name: '壊れた JPEG',
    expected: '投稿画面で理由を示して断る',
    async make() {
      const whole = await noisy()
      // Its pixels are missing, with all that says how they are coded.
      return whole.subarray(0, whole.indexOf(Buffer.from('ffda', 'hex')))
    },
  },
  {
    file: 'misnamed.jpg',
    row: 'kind',
    name: '名前は JPEG、中身は PNG',
    expected: '中身の形式で扱われ、表示される',
    make: () => chart().png().toBuffer(),
  },
  {
    file: 'picture.avif',
    row: 'AVIF, still',
    name: 'AVIF',
    expected: '端末で JPEG に変換して、同じ画像',
    make: () => chart().avif({ effort: 0 }).toBuffer(),
  },
  {
    file: 'moving.avif',
    row: 'AVIF, moving',
    name: '動く AVIF',
    expected: '端末で WebP に変換して、動く',
    make: () => readFile(path.join(import.meta.dirname, '../../../e2e/fixtures/avif/moving.avif')),
  },
  {
    file: 'turned.webp',
    row: 'orientation (Exif)',
    name: 'Exif の向き 6 の WebP',
    expected: '文字 F が正しい向き。Chromium は選んだファイルの向きを変えない',
    async make() {
      const turned = await chart().rotate(270).png().toBuffer()
      return sharp(turned).webp().withMetadata({ orientation: 6 }).toBuffer()
    },
  },
  {
    file: 'cut.png',
    row: 'bytes that are missing (JPEG, PNG, GIF)',
    name: '途中で切れた PNG（はじめの60%）',
    expected: 'あるところまで表示する',
    async make() {
      const whole = await chart().png().toBuffer()
      return whole.subarray(0, Math.round(whole.length * 0.6))
    },
  },
]

export const pictureFixtures = [...orientations, ...animations, ...long, ...profiles, ...broken]
