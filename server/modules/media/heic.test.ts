// HEIC that was not converted by the client: shown like every picture, or its author sees the reason.
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
  const [media] = await studio.settled(await studio.post([['type', '1'], field]))
  return { id, media }
}
const drawn = async (id: string, variant = 'w480') => sharp((await studio.file(id, variant, null)).rawPayload)

test.each(heicFixtures)('%s is drawn, and tells nothing of the camera', async (name) => {
  const { id, media } = await posted(heic(name))
  const [width, height] = name === 'syn-p3flat.heic' ? [320, 240] : [640, 480]
  expect(media).toMatchObject({ kind: 'image', state: 'ready', width, height })
  for (const variant of ['w480', 'blurred']) {
    const { format, exif, xmp, icc } = await (await drawn(id, variant)).metadata()
    expect([variant, format, exif, xmp, icc]).toEqual([variant, 'webp', undefined, undefined, undefined])
  }
  const { channels } = await (await drawn(id)).stats()
  // It shows something: neither black nor one colour that a failed decoder leaves.
  expect(Math.max(...channels.slice(0, 3).map((it) => it.max))).toBeGreaterThan(60)
  expect((await studio.file(id, 'original', studio.creator)).rawPayload.equals(heic(name))).toBe(true)
})

test('colours of Display P3 are the same colours in sRGB', async () => {
  const { id } = await posted(heic('syn-p3flat.heic'))
  const { data } = await (await drawn(id)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  // The file is all (200, 100, 50) in Display P3; a colour engine gives this for it, as it is 200, 100, 50 untouched.
  const [r, g, b] = data
  expect([Math.abs((r ?? 0) - 215) < 3, Math.abs((g ?? 0) - 93) < 3, Math.abs((b ?? 0) - 31) < 3]).toEqual([
    true,
    true,
    true,
  ])
})

test('one that is cut off, and one with more pixels than are decoded: the author is told', async () => {
  const whole = heic('syn-marker.heic')
  expect((await posted(whole.subarray(0, 2500))).media).toMatchObject({
    state: 'failed',
    failure: 'unreadable',
  })
  const vast = Buffer.from(whole)
  // The size follows the box's name, its version and its flags.
  for (let at = vast.indexOf('ispe'); at >= 0; at = vast.indexOf('ispe', at + 1)) {
    vast.writeUInt32BE(20_000, at + 8)
    vast.writeUInt32BE(20_000, at + 12)
  }
  expect((await posted(vast)).media).toMatchObject({ state: 'failed', failure: 'too_large' })
})

test('one chosen as the thumbnail of a video becomes its poster', async () => {
  const id = await upload(world, studio.creator, fixture('h264.mp4'), 'a.mp4')
  const thumbnail = { name: 't.heic', bytes: heic('syn-p3flat.heic') }
  const post = await studio.post([
    ['type', '1'],
    ['has_video_file', id],
    ['video_thumbnail_file', thumbnail],
  ])
  await studio.settled(post)
  const { width, height } = await (await drawn(id, 'poster')).metadata()
  expect([width, height]).toEqual([320, 240])
})
