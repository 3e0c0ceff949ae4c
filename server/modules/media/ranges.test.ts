// Range requests, by which players seek in a video.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload, type Member } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { newBuckets } from '#server/testing/s3/stores.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const stores = [
  { store: 'the disk', available: true },
  { store: 'S3', available: cephAvailable() },
].filter(({ available }) => available)

describe.each(stores)('range requests of a file on $store', ({ store }) => {
  let world: World
  let creator: Member
  let post: Studio['post']
  let processedMedia: Studio['processedMedia']
  let get: Studio['get']
  beforeAll(async () => {
    const parts = store === 'S3' ? { s3: await newBuckets() } : {}
    world = await openWorld({ worker: true, parts })
    ;({ creator, post, processedMedia, get } = await openStudio(world))
  })
  afterAll(() => world.close())

  let path: string
  let whole: Buffer
  beforeAll(async () => {
    const id = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
    await processedMedia(
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
  ])('the range %s is sent with its position in the file', async (range, from, to) => {
    const reply = await get(path, null, { range })
    const part = whole.subarray(from, to)
    const start = from < 0 ? whole.length + from : from
    expect(reply.statusCode).toBe(206)
    expect(reply.rawPayload.equals(part)).toBe(true)
    expect(reply.headers['content-range']).toBe(`bytes ${start}-${start + part.length - 1}/${whole.length}`)
  })

  test('a range beyond the end is 416 with the length of the file', async () => {
    const reply = await get(path, null, { range: `bytes=${whole.length}-` })
    expect([reply.statusCode, reply.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
  })

  test('several ranges in one request are refused with 416', async () => {
    const reply = await get(path, null, { range: 'bytes=0-1,4-5' })
    expect([reply.statusCode, reply.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('HEAD reports the length and that ranges are accepted', async () => {
    const reply = await get(path, null, {}, 'HEAD')
    expect(reply.headers).toMatchObject({
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
    })
    expect(reply.rawPayload.length).toBe(0)
  })

  test('another ETag in If-Range receives the whole file; the current one in If-None-Match receives 304', async () => {
    const other = await get(path, null, { range: 'bytes=0-1', 'if-range': '"other"' })
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, whole.length])
    const { etag = '', 'last-modified': at = '' } = (await get(path, null)).headers as Record<string, string>
    const statusOf = async (headers: Record<string, string>) => (await get(path, null, headers)).statusCode
    expect(await statusOf({ 'if-none-match': etag })).toBe(304)
    expect(await statusOf({ 'if-none-match': `"other", ${etag}` })).toBe(304)
    expect(await statusOf({ 'if-none-match': '"other"' })).toBe(200)
    expect(await statusOf({ 'if-modified-since': at })).toBe(304)
    expect(await statusOf({ 'if-modified-since': new Date(0).toUTCString() })).toBe(200)
    expect(await statusOf({ 'if-match': '"other"' })).toBe(412)
    expect(await statusOf({ 'if-unmodified-since': new Date(0).toUTCString() })).toBe(412)
    expect(await statusOf({ range: 'bytes=0-1', 'if-range': at })).toBe(206)
  })
})
