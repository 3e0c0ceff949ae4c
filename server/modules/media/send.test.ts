// Replies with media files: which file, with which headers, and none before it is made.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { call, errorOf, type Reply, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { type Field, openStudio, type Studio } from '#server/testing/people/studio.ts'
import { open, placeMedia, type PlacedMedia, PLAYLIST, priced } from '#server/testing/media/placed.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
beforeAll(async () => {
  world = await openWorld({ settings: { corsOrigins: ['https://app.example'] } })
  studio = await openStudio(world)
})
afterAll(() => world.close())

const OPEN = 'public, max-age=31536000, s-maxage=60, immutable'
const SANDBOX = "default-src 'none'; sandbox"

const addMedia = (fields: readonly Field[], media: PlacedMedia) => placeMedia(world, studio, fields, media)
const cacheOf = (reply: Reply) => [reply.statusCode, reply.headers['cache-control']]
const videoFiles = ['hls/main.m3u8', 'hls/init.mp4', 'hls/1.m4s', 'play.mp4']

describe('a video', () => {
  test('of an open post: shared caches store its segments and revalidate its playlist', async () => {
    const { id } = await addMedia(open, { hls: true, files: videoFiles })
    const playlist = await studio.file(id, 'hls/main.m3u8', null)
    expect(cacheOf(playlist)).toEqual([200, 'public, no-cache'])
    expect([playlist.body, playlist.headers['content-type']]).toEqual([
      PLAYLIST,
      'application/vnd.apple.mpegurl',
    ])
    for (const file of ['hls/1.m4s', 'hls/init.mp4', 'play']) {
      const reply = await studio.file(id, file, null)
      expect([...cacheOf(reply), reply.headers['content-type']]).toEqual([200, OPEN, 'video/mp4'])
    }
  })

  test('of a priced post: its playlist opens its segments to the buyer, and no shared cache stores them', async () => {
    const { id, postId } = await addMedia(priced, { hls: true, files: videoFiles })
    await addPurchase(world.deps.db, postId, studio.fan.id, 500, world.clock.now)
    const playlist = await studio.file(id, 'hls/main.m3u8', studio.fan)
    expect(cacheOf(playlist)).toEqual([200, 'private, no-cache'])
    const query = studio.addressOf(id, 'play', studio.fan).split('?')[1]
    expect(playlist.body).toBe(`#EXTM3U\n#EXT-X-MAP:URI="init.mp4?${query}"\n1.m4s?${query}\n`)
    const segment = await studio.file(id, 'hls/1.m4s', studio.fan)
    expect([...cacheOf(segment), segment.body]).toEqual([200, 'private, max-age=300', 'hls/1.m4s'])
    expect(segment.headers['vary']).toBe('Origin, Authorization, Cookie')
    expect(segment.headers['content-security-policy']).toBe(SANDBOX)
  })

  test('redirects the expired address of its playlist to the new one', async () => {
    const { id, postId } = await addMedia(priced, { hls: true, files: videoFiles })
    await addPurchase(world.deps.db, postId, studio.fan.id, 500, world.clock.now)
    const expired = studio.addressOf(id, 'hls/main.m3u8', studio.fan)
    world.clock.now += 12 * 3600_000
    const reply = await studio.get(expired, studio.fan)
    expect(cacheOf(reply)).toEqual([307, 'no-store'])
    expect(reply.headers.location).toBe(studio.addressOf(id, 'hls/main.m3u8', studio.fan))
    expect((await studio.get(String(reply.headers.location), studio.fan)).body).toContain('1.m4s?exp=')
  })

  test.each([
    ['that is being processed', { state: 'processing', hls: true }],
    ['without HLS', { hls: false }],
  ])('%s has no HLS files, whatever is on the disk', async (_, media) => {
    const { id } = await addMedia(open, { ...media, files: videoFiles })
    for (const file of ['hls/main.m3u8', 'hls/1.m4s'])
      expect(errorOf(await studio.file(id, file, null)).code).toBe('not_found')
  })

  test.each(['main.m3u8x', 'xmain.m3u8', '1.m4sx', 'x1.m4s', '1234567.m4s', '72p.m3u8', 'other.mp4'])(
    'has no file named %s',
    async (name) => {
      const { id } = await addMedia(open, { hls: true, files: [...videoFiles, `hls/${name}`] })
      expect(errorOf(await studio.file(id, `hls/${name}`, null)).code).toBe('not_found')
    },
  )

  test('with smaller renditions has their playlists and segments', async () => {
    const files = ['hls/480p.m3u8', 'hls/480p-init.mp4', 'hls/480p-12.m4s']
    const { id } = await addMedia(open, { hls: true, files })
    const replies = await Promise.all(files.map((it) => studio.file(id, it, null)))
    expect(replies.map((it) => it.statusCode)).toEqual([200, 200, 200])
  })
})

describe('a picture', () => {
  test('is sent in the requested width, else in the next larger, else in the largest', async () => {
    const { id } = await addMedia(open, {
      widths: [480, 960, 1200],
      files: ['w480.webp', 'w960.webp', 'w1200.webp'],
      picture: true,
    })
    const widths = ['w240', 'w480', 'w960', 'w1600']
    const replies = await Promise.all(widths.map((it) => studio.file(id, it, null)))
    expect(replies.map((it) => it.body)).toEqual(['w480.webp', 'w480.webp', 'w960.webp', 'w1200.webp'])
  })

  test('is refused in several ranges', async () => {
    const { id } = await addMedia(open, { widths: [480], files: ['w480.webp'], picture: true })
    const reply = await studio.get(studio.addressOf(id, 'w480', null), null, { range: 'bytes=0-1,4-5' })
    expect([reply.statusCode, reply.headers['content-range'], errorOf(reply).code]).toEqual([
      416,
      `bytes */${'w480.webp'.length}`,
      'bad_request',
    ])
  })

  test('that is being processed has no file, whatever is on the disk', async () => {
    const files = ['w480.webp', 'blurred.webp']
    const { id } = await addMedia(open, { state: 'processing', widths: [480], files, picture: true })
    for (const file of ['w480', 'blurred']) {
      const reply = await studio.file(id, file, null)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([404, 'not_found'])
    }
  })
})

describe('the original', () => {
  test('is sent with a name without path separators and control characters', async () => {
    const id = await upload(world, studio.creator, await jpeg(), 'a/b\\c\n.jpg')
    await studio.post([...open, ['has_image_file[]', id]])
    const reply = await studio.file(id, 'original', studio.creator)
    expect(reply.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''a_b_c_.jpg`)
    expect(cacheOf(reply)).toEqual([200, 'private, no-cache'])
  })

  test('has the type of its bytes, and no script of it runs as a page', async () => {
    const id = await upload(world, studio.creator, await jpeg(), 'page.html')
    await studio.post([...open, ['has_image_file[]', id]])
    const { headers } = await studio.file(id, 'original', studio.creator)
    expect([headers['content-type'], headers['content-security-policy']]).toEqual(['image/jpeg', SANDBOX])
  })

  test('is refused in several ranges and sent in one', async () => {
    const bytes = await jpeg()
    const id = await upload(world, studio.creator, bytes, 'a.jpg')
    await studio.post([...open, ['has_image_file[]', id]])
    const address = studio.addressOf(id, 'original', studio.creator)
    const several = await studio.get(address, studio.creator, { range: 'bytes=0-1,4-5' })
    expect([several.statusCode, several.headers['content-range'], errorOf(several).code]).toEqual([
      416,
      `bytes */${bytes.length}`,
      'bad_request',
    ])
    const one = await studio.get(address, studio.creator, { range: 'bytes=0-1' })
    expect([one.statusCode, one.rawPayload.equals(bytes.subarray(0, 2))]).toEqual([206, true])
  })
})

describe('an address', () => {
  test.each([
    ['of an unknown media', `${newId()}/w480`],
    ['of an unknown video', `${newId()}/hls/main.m3u8`],
    ['with an id that is no UUID', 'media/w480'],
  ])('%s is not_found', async (_, path) => {
    const reply = await studio.get(`/api/media/${path}`, null)
    expect([reply.statusCode, errorOf(reply)]).toEqual([404, { code: 'not_found' }])
  })

  test('with an unknown variant is not_found, even for a file on the disk', async () => {
    const files = ['w300.webp', 'p0.webp', 'made.webp']
    const { id } = await addMedia(open, { widths: [480], files, picture: true })
    for (const variant of ['w300', 'p0', 'made', '..%2Fw300']) {
      const reply = await studio.get(`/api/media/${id}/${variant}`, null)
      expect([variant, reply.statusCode, errorOf(reply)]).toEqual([variant, 404, { code: 'not_found' }])
    }
  })

  test('of the retry of a ready media tells its author that it is ready', async () => {
    const { id } = await addMedia(open, { files: [], picture: true })
    const reply = await call(world, studio.creator, 'POST', `/media/${id}/retry`)
    expect(reply.json()).toEqual({ data: { id, state: 'ready' } })
  })
})
