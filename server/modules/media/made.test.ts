// Files made from pictures and videos, without data about camera and location.
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { errorOf, noise, upload, type Member } from '#server/testing/people/members.ts'
import { animatedPng } from '#server/testing/media/animated-png.ts'
import { fixture, jpeg, phonePhoto, svg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
let fan: Member
let post: Studio['post']
let view: Studio['view']
let processedMedia: Studio['processedMedia']
let get: Studio['get']
let file: Studio['file']
let image: Studio['image']
beforeAll(async () => {
  world = await openWorld({ worker: true })
  ;({ creator, fan, post, view, processedMedia, get, file, image } = await openStudio(world))
})
afterAll(() => world.close())

describe('pictures', () => {
  const noisy = () => sharp(noise(90_000), { raw: { width: 200, height: 150, channels: 3 } })
  test('are made upright, in the widths for which they are large enough', async () => {
    const [field] = await image(await phonePhoto(2000, 1500), 'IMG_1.JPG')
    const [media] = await processedMedia(await post([['type', '1'], field]))
    expect(media).toMatchObject({ kind: 'image', state: 'ready', width: 1500, height: 2000 })
    const sources = media?.kind === 'image' ? media.sources : []
    expect(sources.map((it) => it.width)).toEqual([480, 960, 1500])
    const drawn = await sharp((await get(defined(sources[1]?.src), null)).rawPayload).metadata()
    expect(drawn).toMatchObject({ format: 'webp', width: 960, height: 1280 })
  })

  test('that are small have their own width; a width that was not made is served as the next one', async () => {
    const [field, id] = await image(await jpeg(200, 100), 'small.jpg')
    const [media] = await processedMedia(await post([['type', '1'], field]))
    expect(media?.kind === 'image' && media.sources).toEqual([{ src: `/api/media/${id}/w240`, width: 200 }])
    const [wide, wideId] = await image(await jpeg(700, 300), 'wide.jpg')
    await processedMedia(await post([['type', '1'], wide]))
    const widthAt = async (of: string, variant: string) =>
      (await sharp((await file(of, variant, null)).rawPayload).metadata()).width
    const requested = ['w240', 'w480', 'w960', 'w1600']
    expect(await Promise.all(requested.map((it) => widthAt(wideId, it)))).toEqual([240, 480, 700, 700])
    expect(await Promise.all(requested.map((it) => widthAt(id, it)))).toEqual([200, 200, 200, 200])
    // As made by a version of the server without the width of faces.
    await world.database.executeSql(
      `update media set made = jsonb_set(made, '{widths}', '[480,960]') where id = $1`,
      [wideId],
    )
    expect(await widthAt(wideId, 'w240')).toBe(480)
  })

  test('contain no data about the camera or the location', async () => {
    const photo = await phonePhoto()
    expect((await sharp(photo).metadata()).exif?.includes('PhoneMaker')).toBe(true)
    const [field, id] = await image(photo, 'IMG_1.JPG')
    await processedMedia(await post([['type', '1'], field]))
    for (const variant of ['w240', 'w480', 'w960', 'w1600', 'blurred']) {
      const reply = await file(id, variant, null)
      expect([variant, reply.statusCode]).toEqual([variant, 200])
      const { exif, xmp, iptc } = await sharp(reply.rawPayload).metadata()
      expect([variant, exif, xmp, iptc]).toEqual([variant, undefined, undefined, undefined])
    }
  })

  test('that move are shown moving, with their first frame as a file of its own', async () => {
    const png = animatedPng(
      [
        { width: 600, height: 300, colour: [255, 0, 0, 255], delay: 40 },
        { width: 600, height: 300, colour: [0, 0, 255, 255], delay: 250 },
      ],
      3,
    )
    const webp = await sharp(fixture('anim.gif'), { animated: true }).webp().toBuffer()
    for (const [name, bytes] of [
      ['a.gif', fixture('anim.gif')],
      ['a.webp', webp],
      ['a.png', png],
    ] as const) {
      const [field, id] = await image(bytes, name)
      const [media] = await processedMedia(await post([['type', '1'], field]))
      expect([name, media]).toMatchObject([name, { state: 'ready', still: `/api/media/${id}/still` }])
      const metadataOf = async (variant: string) =>
        sharp((await file(id, variant, null)).rawPayload).metadata()
      expect([name, (await metadataOf('w480')).pages]).not.toEqual([name, undefined])
      expect([name, await metadataOf('still')]).toMatchObject([
        name,
        { format: 'webp', width: expect.any(Number) },
      ])
      expect([name, (await metadataOf('still')).pages]).toEqual([name, undefined])
      if (name === 'a.png')
        expect(await metadataOf('w480')).toMatchObject({
          width: 480,
          delay: [40, 250],
          loop: 3,
        })
    }
  })

  test('that do not move have no first frame', async () => {
    const [field, id] = await image(await jpeg(600, 300), 'a.jpg')
    const [media] = await processedMedia(await post([['type', '1'], field]))
    expect(media).not.toHaveProperty('still')
    expect((await file(id, 'still', null)).statusCode).toBe(404)
  })

  test('that are SVG are served as WebP, so that no script is served', async () => {
    const [field, id] = await image(svg, 'a.svg')
    const [media] = await processedMedia(await post([['type', '1'], field]))
    expect(media?.state).toBe('ready')
    const reply = await file(id, 'w480', null)
    expect(reply.headers['content-type']).toBe('image/webp')
    expect((await sharp(reply.rawPayload).metadata()).width).toBe(480)
  })

  test('that are cut off are shown as far as they go', async () => {
    const red = sharp({ create: { width: 600, height: 400, channels: 3, background: '#cc3322' } })
    const flat = await red.clone().png().toBuffer()
    const dotted = red.composite([{ input: await noisy().png().toBuffer(), top: 180, left: 0 }])
    for (const [name, bytes] of [
      ['a.jpg', await dotted.clone().jpeg().toBuffer()],
      ['a.png', await dotted.clone().png().toBuffer()],
      // Shorter than what a decoder reads at once.
      ['flat.png', flat],
    ] as const) {
      const [field, id] = await image(bytes.subarray(0, bytes.length / 2), name)
      const [media] = await processedMedia(await post([['type', '1'], field]))
      expect([name, media]).toMatchObject([name, { state: 'ready', width: 600, height: 400 }])
      const shown = sharp((await file(id, 'w960', null)).rawPayload)
      const { data } = await shown.raw().toBuffer({ resolveWithObject: true })
      expect([name, (data[0] ?? 0) > 180, (data[1] ?? 0) < 80]).toEqual([name, true, true])
    }
  })

  test('that cannot be read are failed, and the post remains', async () => {
    const [field] = await image((await noisy().webp().toBuffer()).subarray(0, 3000), 'a.webp')
    expect((await processedMedia(await post([['type', '1'], field])))[0]).toMatchObject({
      state: 'failed',
      sources: [],
    })
  })

  test('have a blurred copy without detail', async () => {
    const detail = await sharp(noise(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
      .png()
      .toBuffer()
    const [field, id] = await image(detail, 'a.png')
    await processedMedia(await post([['type', '1'], field]))
    const stats = await sharp((await file(id, 'blurred', null)).rawPayload)
      .greyscale()
      .stats()
    expect((await sharp(detail).greyscale().stats()).channels[0]?.stdev).toBeGreaterThan(30)
    expect(stats.channels[0]?.stdev).toBeLessThan(8)
  })
})

describe('the placeholder colours in a post', () => {
  test('are those of the picture, and only viewers with access receive them', async () => {
    const [field] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '3'], ['price', '500'], field])
    const [media] = await processedMedia(postId)
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(defined(media?.placeholder), 'base64'))
    expect([r > 0.7, g < 0.35, b < 0.3]).toEqual([true, true, true])
    expect(JSON.stringify(await view(postId, fan))).not.toContain(media?.placeholder)
  })

  test('are those of the poster for a video', async () => {
    const id = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
    const thumbnail = { name: 't.jpg', bytes: await jpeg(640, 360) }
    const fields = [
      ['type', '1'],
      ['has_video_file', id],
      ['video_thumbnail_file', thumbnail],
    ] as const
    const [media] = await processedMedia(await post(fields))
    const { r, g } = thumbHashToAverageRGBA(Buffer.from(defined(media?.placeholder), 'base64'))
    expect([r > 0.7, g < 0.35]).toEqual([true, true])
  })
})

describe('the reason why a file failed', () => {
  test('is reported only to its author', async () => {
    const truncated = (
      await sharp(noise(90_000), { raw: { width: 200, height: 150, channels: 3 } })
        .webp()
        .toBuffer()
    ).subarray(0, 3000)
    const [field] = await image(truncated, 'a.webp')
    const postId = await post([['type', '1'], field])
    expect((await processedMedia(postId))[0]).toMatchObject({ state: 'failed', failure: 'unreadable' })
    const { access } = await view(postId, fan)
    expect(access.is === 'full' && access.media).toMatchObject([{ state: 'failed' }])
    expect(JSON.stringify(access)).not.toContain('unreadable')
  })
})

describe('videos', () => {
  test('can be played from their first bytes, and contain no location', async () => {
    const bytes = fixture('h264-gps.mov')
    expect(bytes.includes('+35.')).toBe(true)
    const id = await upload(world, creator, bytes, 'IMG_2.MOV')
    const thumbnail = { name: 't.jpg', bytes: await jpeg(640, 360) }
    const postId = await post([
      ['type', '1'],
      ['has_video_file', id],
      ['video_thumbnail_file', thumbnail],
    ])
    const [media] = await processedMedia(postId)
    expect(media).toMatchObject({ kind: 'video', state: 'ready', width: 640, height: 360, duration: 5 })
    const played = (await file(id, 'play', null)).rawPayload
    expect(played.includes('+35.')).toBe(false)
    expect(played.includes('com.apple.quicktime')).toBe(false)
    expect(played.indexOf('moov')).toBeLessThan(played.indexOf('mdat'))
    using input = new Input({ source: new BufferSource(played), formats: ALL_FORMATS })
    expect(await (await input.getPrimaryVideoTrack())?.getCodec()).toBe('avc')
    expect(await (await input.getPrimaryAudioTrack())?.getCodec()).toBe('aac')
    expect((await file(id, 'poster', null)).headers['content-type']).toBe('image/webp')
  })

  test('have an original with the uploaded bytes, for the author only', async () => {
    const bytes = fixture('h264.mp4')
    const id = await upload(world, creator, bytes, '海 "1".mp4')
    const postId = await post([
      ['type', '1'],
      ['has_video_file', id],
    ])
    const [media] = await processedMedia(postId)
    const reply = await get(defined(media?.original_url), creator)
    expect(reply.rawPayload.equals(bytes)).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('海 "1".mp4')}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'video/mp4',
      'cache-control': 'private, no-cache',
    })
    expect(errorOf(await file(id, 'original', fan)).code).toBe('forbidden')
    const seen = (await view(postId, fan)).access
    expect(JSON.stringify(seen)).not.toContain('original')
  })

  test('that no decoder can read are failed', async () => {
    const whole = fixture('h264.mp4')
    const [head, tracks, media] = [Buffer.from(whole.subarray(0, 32)), Buffer.alloc(8), Buffer.alloc(8)]
    tracks.writeUInt32BE(8)
    tracks.write('moov', 4)
    media.writeUInt32BE(9008)
    media.write('mdat', 4)
    const id = await upload(world, creator, Buffer.concat([head, tracks, media, noise(9000)]), 'a.mp4')
    expect(
      (
        await processedMedia(
          await post([
            ['type', '1'],
            ['has_video_file', id],
          ]),
        )
      )[0],
    ).toMatchObject({ state: 'failed', src: null })
  })
})
