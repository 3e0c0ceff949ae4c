// Requests of nginx to an object store, its replies, and its failures.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Nginx, nginxAvailable, startNginx } from './testing/clients/nginx.ts'
import { freePort } from './testing/free-port.ts'
import { type BehindNginx, openBehindNginx } from './testing/media/behind-nginx.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { type FalseStore, openFalseStore } from './testing/s3/false-store.ts'
import { newBuckets } from './testing/s3/stores.ts'

// Tests are skipped where nginx or Ceph is missing: `npm run setup` installs them.
const available = nginxAvailable() && cephAvailable()
let site: BehindNginx
/** Replies with whatever a test chooses, to the nginx of `beside`. */
let store: FalseStore
/** Another nginx of the same server. */
let beside: Nginx
const logged: string[] = []

const besideWith = async (storePort: number): Promise<Nginx> =>
  startNginx(
    site.world.dataDir,
    [Number(new URL(site.world.origin).port), await freePort()],
    await freePort(),
    { storePort, logsErrors: true },
  )

beforeAll(async () => {
  if (!available) return
  site = await openBehindNginx(await newBuckets(), { write: (line) => void logged.push(line) })
  store = await openFalseStore()
  beside = await besideWith(store.port)
})
afterAll(async () => {
  await beside?.close()
  await store?.close()
  await site?.close()
})

/** A new open video, and the path of its file. */
async function playable() {
  const { id } = await site.openVideo()
  return { id, address: `/api/media/${id}/play` }
}

const own = (url: string, headers: Record<string, string> = {}) =>
  site.streaming.inject({ method: 'GET', url, headers })

describe.skipIf(!available)('an object that nginx reads from the store', () => {
  test('has the tag of the store, by which it is not sent again', async () => {
    const { address } = await playable()
    const { headers } = await site.nginx.request(address)
    expect(headers.etag).toBe((await own(address)).headers.etag)
    const again = await site.nginx.request(address, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  test('continues after a part of the same object, and begins again after one of another object', async () => {
    const { address } = await playable()
    const { headers } = await site.nginx.request(address)
    for (const [tag, status, bytes] of [
      [String(headers.etag), 206, '.mp4'],
      ['"other"', 200, 'play.mp4'],
    ] as const) {
      const reply = await site.nginx.request(address, { range: 'bytes=4-', 'if-range': tag })
      expect([tag, reply.status, reply.bytes.toString()]).toEqual([tag, status, bytes])
    }
  })

  test.each([
    ['if-match', '"other"', 412],
    ['if-unmodified-since', 'Thu, 01 Jan 2026 00:00:00 GMT', 412],
    ['range', 'bytes=90-', 416],
  ])('whose condition %s: %s fails has the error of the server', async (name, value, status) => {
    const { address } = await playable()
    const reply = await site.nginx.request(address, { [name]: value })
    const expected = await own(address, { [name]: value })
    expect([reply.status, reply.bytes.toString(), reply.headers['cache-control']]).toEqual([
      status,
      expected.body,
      'no-store',
    ])
  })

  test('is requested from the configured store alone, with nothing of the client but ranges and conditions', async () => {
    store.answer(206, { 'content-range': 'bytes 0-3/8' }, 'play')
    const { id, address } = await playable()
    const { fan } = site.studio
    const sent = {
      ...fan.auth,
      cookie: 'session=secret',
      origin: 'https://app.example',
      range: 'bytes=0-3',
      'x-accel-failed': '1',
      'x-accel-redirect': '/stored/store/other',
      'x-accel-store-authorization': 'of the client',
      'x-amz-date': 'of the client',
    }
    await beside.request(address, sent)
    const { method, path, headers } = store.requests.at(-1) ?? {}
    expect([method, path?.endsWith(`/media/${id}/play.mp4`)]).toEqual(['GET', true])
    const { authorization, 'x-amz-date': date, ...others } = headers ?? {}
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 /)
    expect(date).toMatch(/^\d{8}T\d{6}Z$/)
    expect(others).toEqual({
      host: `127.0.0.1:${store.port}`,
      range: 'bytes=0-3',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    })
  })

  test('cannot change what nginx does, nor the headers of the server', async () => {
    const { address } = await playable()
    store.answer(
      200,
      {
        'cache-control': 'public',
        'content-length': 8,
        'content-disposition': 'inline',
        'content-security-policy': 'default-src *',
        'content-type': 'text/html',
        expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
        'set-cookie': 'session=stolen',
        'x-accel-redirect': '/stored/media/other',
        'x-amz-id-2': 'of the store',
        'x-amz-meta-moved': 'of the store',
        'x-amz-request-id': 'of the store',
        'x-frame-options': 'SAMEORIGIN',
        'x-ratelimit-limit': '1',
      },
      'play.mp4',
    )
    const { status, bytes, headers } = await beside.request(address)
    const { headers: expected } = await own(address)
    expect([status, bytes.toString()]).toEqual([200, 'play.mp4'])
    // Besides those that differ between two replies of the server.
    const variable =
      /^(accept-ranges|connection|date|etag|keep-alive|last-modified|server|x-request-id|.*-re\w+ing|.*-reset)$/
    const stable = (all: object) => Object.entries(all).filter(([name]) => !variable.test(name))
    expect(Object.fromEntries(stable(headers))).toEqual({
      ...Object.fromEntries(stable(expected)),
      'content-length': '8',
    })
  })
})

describe.skipIf(!available)('an object that nginx cannot read from the store', () => {
  test.each([307, 400, 403, 404, 500, 503, 520])(
    'because of %d is sent by the server, with one set of headers and nothing of the reply',
    async (status) => {
      const { address } = await playable()
      store.answer(
        status,
        { location: 'http://evil.example/', 'content-type': 'application/xml' },
        '<Error>secret</Error>',
      )
      const reply = await beside.request(address)
      expect([reply.status, reply.bytes.toString()]).toEqual([200, 'play.mp4'])
      const { headers } = await own(address)
      for (const name of [
        'cache-control',
        'content-type',
        'content-security-policy',
        'content-length',
        'vary',
        'location',
        'etag',
      ])
        expect([name, reply.headers[name]]).toEqual([name, headers[name]])
      expect(
        logged.some((line) => line.includes('could not read from the store') && line.includes(`${status}`)),
      ).toBe(true)
    },
  )

  test('is sent by the server as a download under its name', async () => {
    const { id } = await site.paidVideo()
    const { creator } = site.studio
    const address = site.studio.addressOf(id, 'original', creator)
    const { headers, rawPayload } = await own(address, creator.auth)
    for (const [status, nginx] of [
      [403, beside],
      [200, site.nginx],
    ] as const) {
      store.answer(status, {}, '<Error>secret</Error>')
      const reply = await nginx.request(address, creator.auth)
      expect(reply.headers['content-disposition']).toBe(headers['content-disposition'])
      expect(reply.headers['cache-control']).toBe(headers['cache-control'])
      expect(reply.bytes.equals(rawPayload)).toBe(true)
    }
  })

  test('is refused where the reader may not have it, or it does not exist', async () => {
    store.answer(403, {}, '<Error>secret</Error>')
    const { id } = await site.paidVideo()
    for (const [address, status] of [
      [site.studio.addressOf(id, 'play', null), 403],
      [`/api/media/${newId()}/play`, 404],
    ] as const) {
      const reply = await beside.request(address)
      expect([reply.status, reply.headers['content-type']]).toEqual([
        status,
        'application/json; charset=utf-8',
      ])
      expect(reply.bytes.toString()).not.toMatch(/secret|play\.mp4/)
    }
  })

  test('is sent by the server while the store refuses connections, and no log has a signature', async () => {
    const nginx = await besideWith(await freePort())
    onTestFinished(() => nginx.close())
    const { address } = await playable()
    expect((await nginx.request(address)).bytes.toString()).toBe('play.mp4')
    expect(nginx.log()).toContain('Connection refused')
    expect(nginx.log()).toContain('play.mp4')
    for (const log of [nginx.log(), beside.log(), logged.join('')]) expect(log).not.toMatch(/AWS4|Signature/i)
  })

  test('is requested by no client', async () => {
    store.answer(200, {}, 'of the store')
    const before = store.requests.length
    for (const address of ['/stored/store/x', '/stored//store/x', '/%73tored/store/x'])
      expect([address, (await beside.request(address)).status]).toEqual([address, 404])
    expect(store.requests.length).toBe(before)
  })

  test('is read from no other host that a faulty server names', async () => {
    store.answer(200, {}, 'of the store')
    const faulty = await openFalseStore()
    onTestFinished(() => faulty.close())
    const nginx = await startNginx(site.world.dataDir, [faulty.port, await freePort()], await freePort(), {
      storePort: store.port,
    })
    onTestFinished(() => nginx.close())
    for (const named of [
      'http://evil.example/stored/store/x',
      '//evil.example/x',
      '/stored/store/../../secret.key',
      '/stored/store/%2e%2e/%2e%2e/secret.key',
    ]) {
      faulty.answer(200, { 'x-accel-redirect': named }, '')
      const before = store.requests.length
      expect([named, (await nginx.request('/')).status >= 400]).toEqual([named, true])
      expect(store.requests.length).toBe(before)
    }
  })
})
