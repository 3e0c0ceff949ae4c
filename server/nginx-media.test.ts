// Stored files by X-Accel-Redirect, through nginx with the shipped file.
// Each is on the disk, and in an object store.
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EXPORT_COOKIE, EXPORT_FILE_PATH } from '#contract/accounts/export.ts'
import { API_BASE } from '#contract/paths.ts'
import { newId } from '#contract/ids.ts'
import { nginxAvailable, startNginx } from './testing/clients/nginx.ts'
import { freePort } from './testing/free-port.ts'
import { type BehindNginx, openBehindNginx } from './testing/media/behind-nginx.ts'
import { exportsIn } from './testing/people/exported.ts'
import { openStudio } from './testing/people/studio.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { newBuckets } from './testing/s3/stores.ts'
import { storedAt } from './testing/world.ts'

let site: BehindNginx
// Tests are skipped where nginx or Ceph is missing: `npm run setup` installs them.
const available = nginxAvailable()
const places = [
  { place: 'on the disk', named: '/stored', s3: undefined },
  ...(cephAvailable() ? [{ place: 'in an object store', named: '/stored/store/', s3: newBuckets }] : []),
]

/** Headers of the connection and of one reply, and the etag, which is of the program that sends the file. */
const ownOfEach = new Set([
  'connection',
  'date',
  'etag',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
])

/** Other headers; without `Accept-Ranges` of a part, which nginx leaves out: its status says the same. */
const shared = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !ownOfEach.has(name) && !(name === 'accept-ranges' && 'content-range' in headers),
    ),
  )

describe.skipIf(!available).each(places)('a stored file $place behind nginx', ({ named, s3 }) => {
  let bucket = ''
  beforeAll(async () => {
    const settings = await s3?.()
    bucket = settings?.bucket ?? ''
    site = await openBehindNginx(settings)
  })
  afterAll(() => site?.close())

  test('of an open post is sent by nginx, and the server sends no byte of it', async () => {
    const { id } = await site.openVideo()
    const answered = await site.world.app.inject({ method: 'GET', url: `/api/media/${id}/play` })
    const answer = [answered.headers['x-accel-redirect'], answered.body]
    expect(answer).toEqual([`${named}${bucket}/media/${id}/play.mp4`, ''])
    const reply = await site.file(id, 'play', null)
    const sent = [reply.status, reply.bytes.toString(), reply.headers['x-accel-redirect']]
    expect(sent).toEqual([200, 'play.mp4', undefined])
  })

  test('of a priced post is sent to its buyer, and no byte of it to a stranger or a visitor', async () => {
    const { studio, nginx } = site
    const { id } = await site.paidVideo()
    const [bought, unsigned] = [studio.addressOf(id, 'play', studio.fan), `/api/media/${id}/play`]
    expect((await nginx.request(bought, studio.fan.auth)).bytes.toString()).toBe('play.mp4')
    const stranger = await openStudio(site.world)
    for (const [address, headers] of [
      [bought, stranger.fan.auth],
      [bought, {}],
      [studio.addressOf(id, 'play', null), {}],
      [unsigned, studio.fan.auth],
    ] as const) {
      const { status, headers: replied, bytes } = await nginx.request(address, headers)
      expect([status, replied['content-type']]).toEqual([403, 'application/json; charset=utf-8'])
      expect(bytes.includes('play.mp4')).toBe(false)
    }
  })

  test('that does not exist is not_found', async () => {
    expect((await site.file(newId(), 'play', null)).status).toBe(404)
  })

  test.each([
    ['bytes=0-3', 206, 'play', 'bytes 0-3/8'],
    ['bytes=4-', 206, '.mp4', 'bytes 4-7/8'],
    ['bytes=-2', 206, 'p4', 'bytes 6-7/8'],
    ['bytes=90-', 416, undefined, 'bytes */8'],
  ])('answers the range %s by %s', async (range, status, bytes, contentRange) => {
    const { id } = await site.paidVideo()
    const reply = await site.file(id, 'play', site.studio.fan, { range })
    expect([reply.status, reply.headers['content-range']]).toEqual([status, contentRange])
    if (bytes !== undefined) expect(reply.bytes.toString()).toBe(bytes)
  })

  test('is refused in several ranges, by the server', async () => {
    const { id } = await site.openVideo()
    const reply = await site.file(id, 'play', null, { range: 'bytes=0-1,4-5' })
    expect([reply.status, reply.headers['content-range']]).toEqual([416, 'bytes */8'])
  })

  test('that the reader has is not sent again, and only while they may read it', async () => {
    const { id, postId } = await site.paidVideo()
    const first = await site.file(id, 'play', site.studio.fan)
    const known = { 'if-none-match': String(first.headers.etag) }
    const second = await site.file(id, 'play', site.studio.fan, known)
    const again = [second.status, second.bytes.length, second.headers['cache-control']]
    expect(again).toEqual([304, 0, 'private, max-age=300'])
    await site.world.database.executeSql('delete from post_purchases where post_id = $1', [postId])
    expect((await site.file(id, 'play', site.studio.fan, known)).status).toBe(403)
  })

  const requests = [
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { range: 'bytes=1-2' }],
    ['GET', { origin: 'https://app.example', 'todoke-request': newId() }],
  ] as const

  test.each([
    ['an open video', 'openVideo', 'play', null],
    ['an open poster', 'openVideo', 'poster', null],
    ['an open segment', 'openVideo', 'hls/1.m4s', null],
    ['a playlist', 'openVideo', 'hls/main.m3u8', null],
    ['a paid video', 'paidVideo', 'play', 'fan'],
    ['a paid segment', 'paidVideo', 'hls/1.m4s', 'fan'],
    ['an original', 'paidVideo', 'original', 'creator'],
  ] as const)(
    'has the headers of a server that sends the bytes itself: %s',
    async (_, placed, name, reader) => {
      const { id } = await site[placed]()
      const as = reader && site.studio[reader]
      const url = site.studio.addressOf(id, name, as)
      for (const [method, more] of requests) {
        const headers = { ...as?.auth, ...more }
        const own = await site.streaming.inject({ method, url, headers })
        const byNginx = await site.nginx.request(url, headers, method)
        const length = { 'content-length': String(own.headers['content-length']) }
        expect([method, more, byNginx.status, shared(byNginx.headers)]).toEqual([
          method,
          more,
          own.statusCode,
          { ...shared(own.headers), ...length },
        ])
        expect(byNginx.bytes.equals(own.rawPayload)).toBe(true)
      }
    },
  )

  test('has the headers of a server that sends the bytes itself: a person’s export', async () => {
    const { creator } = site.studio
    const url = API_BASE + EXPORT_FILE_PATH
    const cookie = `${EXPORT_COOKIE}=${await exportsIn(() => site.world).exported(creator)}`
    const headers = { ...creator.auth, cookie }
    const own = await site.streaming.inject({ method: 'GET', url, headers })
    const byNginx = await site.nginx.request(url, headers)
    expect([own.statusCode, byNginx.status]).toEqual([200, 200])
    expect(shared(byNginx.headers)).toEqual(shared(own.headers))
    expect(byNginx.bytes.equals(own.rawPayload)).toBe(true)
  })
})

describe.skipIf(!available)('an internal location of nginx', () => {
  beforeAll(async () => {
    site = await openBehindNginx()
  })
  afterAll(() => site?.close())

  test('cannot be requested by a client, also not in another spelling', async () => {
    const { id } = await site.openVideo()
    for (const address of [
      `/stored/media/${id}/play.mp4`,
      `/stored//media/${id}/play.mp4`,
      `/%73tored/media/${id}/play.mp4`,
      `/api/../stored/media/${id}/play.mp4`,
      `/stored/store/media/${id}/play.mp4`,
      '/stored/secret.key',
      '/stored/',
    ]) {
      const reply = await site.nginx.request(address)
      expect([address, reply.status, reply.bytes.includes('play.mp4')]).toEqual([address, 404, false])
    }
  })

  test('is not chosen by a header of a client', async () => {
    const reply = await site.nginx.request('/api/operator', { 'x-accel-redirect': '/stored/secret.key' })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  })

  test('has no file of the data folder besides objects, whatever a server names', async () => {
    const { world } = site
    const key = (await readFile(storedAt(world, 'secret.key'))).toString()
    const faulty = http.createServer(({ url }, reply) =>
      reply.writeHead(200, { 'x-accel-redirect': `/stored${url}` }).end(),
    )
    faulty.listen(0, '127.0.0.1')
    await once(faulty, 'listening')
    const address = faulty.address()
    const port = typeof address === 'object' && address ? address.port : 0
    onTestFinished(() => void faulty.close())
    const other = await startNginx(world.dataDir, [port, await freePort()], await freePort())
    onTestFinished(() => other.close())
    const { id } = await site.openVideo()
    expect((await other.request(`/media/${id}/play.mp4`)).bytes.toString()).toBe('play.mp4')
    for (const path of ['/secret.key', '/media/%2e%2e/secret.key', '/identity/', '/media/']) {
      const reply = await other.request(path)
      expect([path, reply.status >= 400, reply.bytes.includes(key)]).toEqual([path, true, false])
    }
  })
})
