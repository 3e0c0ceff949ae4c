// Media: what is made of uploads, who may see which file, ranges, and that places and cameras stay home.
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts.ts'
import { addPlan, joinPlan } from '#server/store/plans.ts'
import { addPurchase } from '#server/store/posts.ts'
import { setPicture } from '#server/store/people.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  type Member,
  noise,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/members.ts'
import { fixture, jpeg, phonePhoto, svg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
let fan: Member
beforeAll(async () => {
  world = await openWorld({ worker: true })
  creator = await signUp(world)
  fan = await signUp(world)
})
afterAll(() => world.close())

type Field = readonly [string, FormValue]

async function post(fields: readonly Field[], released = true): Promise<string> {
  const id = postIdOf(await addPost(world, creator, [['content', '写真です'], ...fields], newId()))
  if (released) await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
  return id
}
const view = async (id: string, as: Member | null) =>
  (await call(world, as, 'GET', `/posts/${id}`)).json<PostView>()
async function mediaOf(id: string) {
  const { access } = await view(id, creator)
  return access.is === 'full' ? access.media : []
}
const settled = async (id: string) => {
  const done = async () => (await mediaOf(id)).every((it) => it.state !== 'processing')
  await vi.waitUntil(done, { timeout: 15_000, interval: 50 })
  return mediaOf(id)
}
const get = (
  path: string,
  as: Member | null,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => world.app.inject({ method, url: path, headers: { ...as?.auth, ...headers } })
const file = (id: string, variant: string, as: Member | null) => get(`/api/media/${id}/${variant}`, as)
const image = async (bytes: Buffer, name: string): Promise<[Field, string]> => {
  const id = await upload(world, creator, bytes, name)
  return [['has_image_file[]', id], id]
}

describe('pictures', () => {
  test('come in the widths they are large enough for, upright', async () => {
    const [field] = await image(await phonePhoto(2000, 1500), 'IMG_1.JPG')
    const [media] = await settled(await post([['type', '1'], field]))
    expect(media).toMatchObject({ kind: 'image', state: 'ready', width: 1500, height: 2000 })
    const sources = media?.kind === 'image' ? media.sources : []
    expect(sources.map((it) => it.width)).toEqual([480, 960, 1500])
    const drawn = await sharp((await get(sources[1]?.src ?? '', null)).rawPayload).metadata()
    expect(drawn).toMatchObject({ format: 'webp', width: 960, height: 1280 })
  })

  test('tell nothing of the camera or the place', async () => {
    const photo = await phonePhoto()
    expect((await sharp(photo).metadata()).exif?.includes('PhoneMaker')).toBe(true)
    const [field, id] = await image(photo, 'IMG_1.JPG')
    await settled(await post([['type', '1'], field]))
    for (const variant of ['w480', 'w960', 'w1600', 'blurred']) {
      const reply = await file(id, variant, null)
      expect([variant, reply.statusCode]).toEqual([variant, 200])
      const { exif, xmp, iptc } = await sharp(reply.rawPayload).metadata()
      expect([variant, exif, xmp, iptc]).toEqual([variant, undefined, undefined, undefined])
    }
  })

  test('that move go on moving', async () => {
    const [field, id] = await image(fixture('anim.gif'), 'a.gif')
    await settled(await post([['type', '1'], field]))
    expect((await sharp((await file(id, 'w480', null)).rawPayload).metadata()).pages).toBeGreaterThan(1)
  })

  test('that are SVG are drawn: no script is ever served', async () => {
    const [field, id] = await image(svg, 'a.svg')
    const [media] = await settled(await post([['type', '1'], field]))
    expect(media?.state).toBe('ready')
    const reply = await file(id, 'w480', null)
    expect(reply.headers['content-type']).toBe('image/webp')
    expect((await sharp(reply.rawPayload).metadata()).width).toBe(480)
  })

  test('that cannot be read are failed, and the post stands', async () => {
    const whole = await sharp(noise(90_000), { raw: { width: 200, height: 150, channels: 3 } })
      .png()
      .toBuffer()
    const [field] = await image(whole.subarray(0, 5000), 'a.png')
    expect((await settled(await post([['type', '1'], field])))[0]).toMatchObject({
      state: 'failed',
      sources: [],
    })
  })

  test('the blurred copy holds 32 pixels and no more', async () => {
    const detail = await sharp(noise(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
      .png()
      .toBuffer()
    const [field, id] = await image(detail, 'a.png')
    await settled(await post([['type', '1'], field]))
    const stats = await sharp((await file(id, 'blurred', null)).rawPayload)
      .greyscale()
      .stats()
    expect((await sharp(detail).greyscale().stats()).channels[0]?.stdev).toBeGreaterThan(30)
    expect(stats.channels[0]?.stdev).toBeLessThan(8)
  })
})

describe('videos', () => {
  test('play from their first bytes, with the place they were taken left out', async () => {
    const bytes = fixture('hevc-gps.mov')
    expect(bytes.includes('+35.')).toBe(true)
    const id = await upload(world, creator, bytes, 'IMG_2.MOV')
    const thumbnail = { name: 't.jpg', bytes: await jpeg(640, 360) }
    const postId = await post([
      ['type', '1'],
      ['has_video_file', id],
      ['video_thumbnail_file', thumbnail],
    ])
    const [media] = await settled(postId)
    expect(media).toMatchObject({ kind: 'video', state: 'ready', width: 640, height: 360, duration: 5 })
    const played = (await file(id, 'play', null)).rawPayload
    expect(played.includes('+35.')).toBe(false)
    expect(played.includes('com.apple.quicktime')).toBe(false)
    expect(played.indexOf('moov')).toBeLessThan(played.indexOf('mdat'))
    using input = new Input({ source: new BufferSource(played), formats: ALL_FORMATS })
    expect(await (await input.getPrimaryVideoTrack())?.getCodec()).toBe('hevc')
    expect(await (await input.getPrimaryAudioTrack())?.getCodec()).toBe('aac')
    expect((await file(id, 'poster', null)).headers['content-type']).toBe('image/webp')
  })

  test('the original is its author’s alone, and the very bytes', async () => {
    const bytes = fixture('h264.mp4')
    const id = await upload(world, creator, bytes, '海 "1".mp4')
    const postId = await post([
      ['type', '1'],
      ['has_video_file', id],
    ])
    const [media] = await settled(postId)
    const reply = await get(media?.original_url ?? '', creator)
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

  test('that no tool can read are failed', async () => {
    const id = await upload(
      world,
      creator,
      Buffer.concat([fixture('h264.mp4').subarray(0, 2000), noise(9000)]),
      'a.mp4',
    )
    expect(
      (
        await settled(
          await post([
            ['type', '1'],
            ['has_video_file', id],
          ]),
        )
      )[0],
    ).toMatchObject({ state: 'failed', src: null })
  })
})

describe('ranges', () => {
  let path: string
  let whole: Buffer
  beforeAll(async () => {
    const id = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
    await settled(
      await post([
        ['type', '1'],
        ['has_video_file', id],
      ]),
    )
    path = `/api/media/${id}/play`
    whole = (await get(path, null)).rawPayload
  })

  test.each([
    ['bytes=0-1', 0, 2],
    ['bytes=100-199', 100, 200],
    ['bytes=-50', -50, undefined],
    ['bytes=1000-', 1000, undefined],
  ])('%s', async (range, from, to) => {
    const reply = await get(path, null, { range })
    const part = whole.subarray(from, to)
    const start = from < 0 ? whole.length + from : from
    expect(reply.statusCode).toBe(206)
    expect(reply.rawPayload.equals(part)).toBe(true)
    expect(reply.headers['content-range']).toBe(`bytes ${start}-${start + part.length - 1}/${whole.length}`)
  })

  test('beyond the end is 416 and says how long the file is', async () => {
    const reply = await get(path, null, { range: `bytes=${whole.length}-` })
    expect([reply.statusCode, reply.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
  })

  test('HEAD says the length and that ranges are welcome', async () => {
    const reply = await get(path, null, {}, 'HEAD')
    expect(reply.headers).toMatchObject({
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
    })
    expect(reply.rawPayload.length).toBe(0)
  })

  test('If-Range of another version gets the whole file; a known ETag gets nothing', async () => {
    const other = await get(path, null, { range: 'bytes=0-1', 'if-range': '"other"' })
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, whole.length])
    const etag = String((await get(path, null)).headers['etag'])
    expect((await get(path, null, { 'if-none-match': etag })).statusCode).toBe(304)
  })
})

describe('who may see a file', () => {
  const variants = ['w480', 'blurred', 'original']
  const seenBy = async (id: string, as: Member | null) =>
    Promise.all(variants.map(async (it) => (await file(id, it, as)).statusCode))

  test('open: everyone, and shared caches too', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await settled(await post([['type', '1'], field]))
    expect(await seenBy(id, null)).toEqual([200, 200, 403])
    expect(await seenBy(id, creator)).toEqual([200, 200, 200])
    expect((await file(id, 'w480', null)).headers['cache-control']).toMatch(/^public/)
  })

  test('unreleased: its author; for others there is no such file', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await settled(await post([['type', '1'], field], false))
    expect(await seenBy(id, creator)).toEqual([200, 200, 200])
    expect(await seenBy(id, fan)).toEqual([404, 404, 404])
    expect(await seenBy(id, null)).toEqual([404, 404, 404])
    expect((await file(id, 'w480', creator)).headers['cache-control']).toBe('private, no-cache')
  })

  test('priced: the blurred copy until it is bought, never in a shared cache', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '3'], ['price', '500'], field])
    await settled(postId)
    expect(await seenBy(id, fan)).toEqual([403, 200, 403])
    expect(errorOf(await file(id, 'w480', null)).code).toBe('forbidden')
    expect((await view(postId, fan)).access).toEqual({
      is: 'preview',
      wants: 'purchase',
      blurred_url: `/api/media/${id}/blurred`,
      image_count: 1,
      has_video: false,
      price: 500,
      plans: [],
    })
    expect((await file(id, 'blurred', fan)).headers['cache-control']).toMatch(/^private/)
    await addPurchase(world.deps.db, postId, fan.id, 500, world.clock.now)
    expect(await seenBy(id, fan)).toEqual([200, 200, 403])
    expect((await file(id, 'w480', fan)).headers).toMatchObject({
      'cache-control': 'private, max-age=300',
      vary: 'Authorization, Cookie',
    })
  })

  test('for plan members: the blurred copy until one joins', async () => {
    const plan = { id: newId(), creatorId: creator.id, name: '応援', price: 300, createdAt: new Date() }
    await addPlan(world.deps.db, plan)
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '2'], ['plan_id[]', plan.id], field])
    await settled(postId)
    const member = await signUp(world)
    expect(await seenBy(id, member)).toEqual([403, 200, 403])
    expect((await view(postId, member)).access).toMatchObject({
      wants: 'plan',
      plans: [{ id: plan.id, name: '応援', price: 300 }],
    })
    await joinPlan(world.deps.db, plan.id, member.id, world.clock.now)
    expect(await seenBy(id, member)).toEqual([200, 200, 403])
  })

  test('age-limited: members; visitors see it blurred', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '1'], ['is_age_limited', '1'], field])
    await settled(postId)
    expect(await seenBy(id, null)).toEqual([403, 200, 403])
    expect((await view(postId, null)).access).toMatchObject({ is: 'preview', wants: 'sign_in' })
    expect(await seenBy(id, fan)).toEqual([200, 200, 403])
  })

  test('deleted: nobody', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    const postId = await post([['type', '1'], field])
    await settled(postId)
    await world.database.executeSql('update posts set deleted_at = now() where id = $1', [postId])
    expect(await seenBy(id, creator)).toEqual([404, 404, 404])
    expect((await call(world, creator, 'GET', `/posts/${postId}`)).statusCode).toBe(404)
  })

  test('a refusal is kept by no cache', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await settled(await post([['type', '1'], field]))
    const missing = await file(id, 'w1600', null)
    expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  test('an upload no post holds, an unknown id and an unknown variant are not_found', async () => {
    const id = await upload(world, creator, await jpeg(), 'a.jpg')
    for (const [one, variant] of [
      [id, 'original'],
      [newId(), 'w480'],
      ['nonsense', 'w480'],
      [id, '..%2f..%2fx'],
    ]) {
      expect(errorOf(await file(one ?? '', variant ?? '', creator)).code).toBe('not_found')
    }
  })

  test('a person’s picture: everyone', async () => {
    const [field, id] = await image(await jpeg(), 'a.jpg')
    await settled(await post([['type', '1'], field]))
    await world.database.executeSql('delete from post_media where media_id = $1', [id])
    await setPicture(world.deps.db, creator.id, 'avatar', id)
    expect(await seenBy(id, null)).toEqual([200, 200, 403])
    expect((await call(world, null, 'GET', `/users/${creator.id}`)).json()).toMatchObject({
      avatar_url: `/api/media/${id}/w480`,
    })
  })
})
