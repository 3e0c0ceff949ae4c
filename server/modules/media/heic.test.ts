// HEIC pictures that the client did not convert: shown, or failed with a reason.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '#server/testing/people/members.ts'
import { fixture, heic, heicFixtures } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
beforeAll(async () => {
  world = await openWorld({ worker: true })
  studio = await openStudio(world)
})
afterAll(() => world.close())

async function posted(bytes: Buffer) {
  const [field, id] = await studio.image(bytes, 'IMG_1.HEIC')
  const [media] = await studio.processedMedia(await studio.post([['type', '1'], field]))
  return { id, media }
}
const servedPicture = async (id: string, variant = 'w480') =>
  sharp((await studio.file(id, variant, null)).rawPayload)

test.each(heicFixtures)('%s is converted, without metadata of the camera', async (name) => {
  const { id, media } = await posted(heic(name))
  const [width, height] = name === 'syn-p3flat.heic' ? [320, 240] : [640, 480]
  expect(media).toMatchObject({ kind: 'image', state: 'ready', width, height })
  for (const variant of ['w480', 'blurred']) {
    const { format, exif, xmp, icc } = await (await servedPicture(id, variant)).metadata()
    expect([variant, format, exif, xmp, icc]).toEqual([variant, 'webp', undefined, undefined, undefined])
  }
  const { channels } = await (await servedPicture(id)).stats()
  // The picture is not black, as a failed decoder would leave it.
  expect(Math.max(...channels.slice(0, 3).map((it) => it.max))).toBeGreaterThan(60)
  expect((await studio.file(id, 'original', studio.creator)).rawPayload.equals(heic(name))).toBe(true)
})

test('colours of Display P3 are converted to sRGB', async () => {
  const { id } = await posted(heic('syn-p3flat.heic'))
  const { data } = await (await servedPicture(id)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  // Every pixel is (200, 100, 50) in Display P3, which a colour engine converts to (215, 93, 31) in sRGB.
  const [r, g, b] = data
  expect([Math.abs((r ?? 0) - 215) < 3, Math.abs((g ?? 0) - 93) < 3, Math.abs((b ?? 0) - 31) < 3]).toEqual([
    true,
    true,
    true,
  ])
})

test('a truncated file and one with too many pixels fail with a reason for the author', async () => {
  const intact = heic('syn-marker.heic')
  expect((await posted(intact.subarray(0, 2500))).media).toMatchObject({
    state: 'failed',
    failure: 'unreadable',
  })
  const oversized = Buffer.from(intact)
  // Width and height follow the name, the version and the flags of the box.
  for (let at = oversized.indexOf('ispe'); at >= 0; at = oversized.indexOf('ispe', at + 1)) {
    oversized.writeUInt32BE(20_000, at + 8)
    oversized.writeUInt32BE(20_000, at + 12)
  }
  expect((await posted(oversized)).media).toMatchObject({ state: 'failed', failure: 'too_large' })
})

test('a HEIC picture chosen as the thumbnail of a video becomes its poster', async () => {
  const id = await upload(world, studio.creator, fixture('h264.mp4'), 'a.mp4')
  const thumbnail = { name: 't.heic', bytes: heic('syn-p3flat.heic') }
  const post = await studio.post([
    ['type', '1'],
    ['has_video_file', id],
    ['video_thumbnail_file', thumbnail],
  ])
  await studio.processedMedia(post)
  const { width, height } = await (await servedPicture(id, 'poster')).metadata()
  expect([width, height]).toEqual([320, 240])
})
