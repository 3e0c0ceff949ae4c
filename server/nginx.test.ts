// Requests through nginx with the shipped file: uploads, live connections, addresses of clients.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import http2 from 'node:http2'
import { DefaultHttpStack, Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { conversationChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { certificate, nginxAvailable, startNginx } from './testing/clients/nginx.ts'
import { freePort } from './testing/free-port.ts'
import { openRawSocket } from './testing/clients/raw-socket.ts'
import { type BehindNginx, openBehindNginx } from './testing/media/behind-nginx.ts'
import { noise } from './testing/people/members.ts'
import { storedAt } from './testing/world.ts'

let site: BehindNginx
// Tests are skipped where nginx is missing: `npm run setup` installs site.
const available = nginxAvailable()
beforeAll(async () => {
  if (available) site = await openBehindNginx()
})
afterAll(() => site?.close())

describe.skipIf(!available)('through nginx', () => {
  test('an upload of tus-js-client has the same bytes', async () => {
    const bytes = noise(3_345_678)
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${site.nginx.origin}/upload-chunking-2`,
        chunkSize: 1024 * 1024,
        retryDelays: null,
        headers: site.studio.creator.auth,
        metadata: { filename: 'video.mp4' },
        httpStack: new DefaultHttpStack({ ca: certificate }),
        onSuccess: () => resolve(defined(upload.url)),
        onError: reject,
      })
      upload.start()
    })
    expect(url.startsWith(`${site.nginx.origin}/upload-chunking-2/`)).toBe(true)
    expect((await readFile(storedAt(site.world, 'uploads', url.slice(-36)))).equals(bytes)).toBe(true)
  })

  test('a live connection is upgraded, and receives messages', async () => {
    const socket = await openRawSocket({ ...site.world, origin: site.nginx.origin }, { ca: certificate })
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    socket.join(conversationChannel(newId()), site.studio.fan.id)
    await expect
      .poll(() => socket.frames.map(({ event }) => event))
      .toContain('pusher_internal:subscription_succeeded')
    socket.ws.close()
    await socket.closed
  })

  test('the server knows address and host of a client, and not what the client says of them', async () => {
    const statuses = []
    for (const [forwarded, origin] of [
      ['203.0.113.1', 'https://other.example'],
      ['203.0.113.2', site.nginx.origin],
      ['203.0.113.3', site.nginx.origin],
    ] as const) {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': forwarded,
        'x-forwarded-host': 'other.example',
        origin,
      }
      const body = Buffer.from(JSON.stringify({ email: 'none@example.com', password: 'wrong-1234' }))
      statuses.push((await site.nginx.request('/api/auth/sign-in', headers, 'POST', body)).status)
    }
    // The one wrong password of this network is the second request's.
    expect(statuses).toEqual([403, 401, 429])
  })

  test('metrics are not there for clients', async () => {
    expect((await site.nginx.request('/metrics')).status).toBe(404)
  })

  test('the challenge of a certificate authority is answered by plain HTTP, without a redirect', async () => {
    const challenge = `http://127.0.0.1:${site.nginx.plainPort}/.well-known/acme-challenge/${newId()}`
    expect((await fetch(challenge, { redirect: 'manual' })).status).toBe(404)
  })

  test('plain HTTP is redirected, and HTTP/2 is spoken', async () => {
    const plain = await fetch(`http://127.0.0.1:${site.nginx.plainPort}/post/1?a=b`, { redirect: 'manual' })
    expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://127.0.0.1/post/1?a=b'])
    const session = http2.connect(site.nginx.origin, { ca: certificate })
    const stream = session.request({ ':path': '/api/health/ready' })
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    expect(headers[':status']).toBe(200)
    session.close()
  })

  test('a request that a server has received is sent to another one only if it may be repeated', async () => {
    const received: string[] = []
    const opened = (name: string, answer: http.RequestListener) =>
      http
        .createServer((request, reply) => {
          received.push(`${name} ${request.method}`)
          answer(request, reply)
        })
        .listen(0, '127.0.0.1')
    const broken = opened('broken', ({ socket }) => socket.destroy())
    const working = opened('working', (_, reply) => reply.end('ok'))
    onTestFinished(() => [broken, working].forEach((server) => server.close()))
    const ports = await Promise.all([broken, working].map(portOf))
    const nginx = await startNginx(site.world.dataDir, [ports[0] ?? 0, ports[1] ?? 0], await freePort())
    onTestFinished(() => nginx.close())
    const statuses = async (method: string) => [
      (await nginx.request('/', {}, method)).status,
      (await nginx.request('/', {}, method)).status,
    ]
    expect((await statuses('POST')).toSorted()).toEqual([200, 502])
    expect(received.splice(0).toSorted()).toEqual(['broken POST', 'working POST'])
    expect(await statuses('GET')).toEqual([200, 200])
    expect(received.toSorted()).toEqual(['broken GET', 'working GET', 'working GET'])
  })
})

async function portOf(server: http.Server): Promise<number> {
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
