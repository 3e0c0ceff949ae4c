// Requests through HAProxy with the shipped file: uploads, live connections, readiness of servers.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DefaultHttpStack, Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { conversationChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { buildApp } from './app.ts'
import { compileTrust } from './http/client-address.ts'
import { noLimits } from './http/limits.ts'
import { type Haproxy, haproxyAvailable, startHaproxy } from './testing/clients/haproxy.ts'
import { certificate } from './testing/clients/nginx.ts'
import { openRawSocket } from './testing/clients/raw-socket.ts'
import { freePort } from './testing/free-port.ts'
import { type Member, noise, signUp } from './testing/people/members.ts'
import { openWorld, storedAt, type World } from './testing/world.ts'

const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port

describe.skipIf(!haproxyAvailable())('through HAProxy', () => {
  let world: World
  let member: Member
  let haproxy: Haproxy
  /** The second server, which has a drain of its own. */
  let second: FastifyInstance
  const drainOfSecond = { now: false, soon: false }
  const agent = new https.Agent({ ca: certificate, keepAlive: true })

  beforeAll(async () => {
    const port = await freePort()
    const publicUrl = `https://localhost:${port}`
    const settings = {
      https: true,
      limits: { ...noLimits, guesses: { max: 1, timeWindow: 3600_000 } },
      origins: [publicUrl],
      publicUrl,
      trustProxy: compileTrust('1'),
    }
    world = await openWorld({ listen: true, settings })
    member = await signUp(world)
    second = await buildApp({ ...world.deps, draining: drainOfSecond })
    await second.listen({ port: 0, host: '127.0.0.1' })
    haproxy = await startHaproxy([portOf(world.app), portOf(second)], port)
  })
  afterAll(async () => {
    agent.destroy()
    await haproxy?.close()
    second?.server.closeAllConnections()
    await second?.close()
    await world?.close()
  })

  /** Sends a request. @returns the status */
  function request(address: string, options: https.RequestOptions = {}, body = ''): Promise<number> {
    return new Promise((resolve, reject) => {
      https
        .request(haproxy.origin + address, { ...options, agent }, (reply) => {
          reply.resume().on('end', () => resolve(defined(reply.statusCode)))
        })
        .on('error', reject)
        .end(body)
    })
  }

  test('an upload of tus-js-client has the same bytes', async () => {
    const bytes = noise(3_345_678)
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${haproxy.origin}/upload-chunking-2`,
        chunkSize: 1024 * 1024,
        retryDelays: null,
        headers: member.auth,
        metadata: { filename: 'video.mp4' },
        httpStack: new DefaultHttpStack({ ca: certificate }),
        onSuccess: () => resolve(defined(upload.url)),
        onError: reject,
      })
      upload.start()
    })
    expect(url.startsWith(`${haproxy.origin}/upload-chunking-2/`)).toBe(true)
    expect((await readFile(storedAt(world, 'uploads', url.slice(-36)))).equals(bytes)).toBe(true)
  })

  test('a live connection is upgraded, and receives messages', async () => {
    const socket = await openRawSocket({ ...world, origin: haproxy.origin }, { ca: certificate })
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    socket.join(conversationChannel(newId()), member.id)
    await expect
      .poll(() => socket.frames.map(({ event }) => event))
      .toContain('pusher_internal:subscription_succeeded')
    socket.ws.close()
    await socket.closed
  })

  test('the server knows address and host of a client, and not what the client says of them', async () => {
    const body = JSON.stringify({ email: 'none@example.com', password: 'wrong-1234' })
    const statuses: number[] = []
    for (const [forwarded, origin] of [
      ['203.0.113.1', 'https://other.example'],
      ['203.0.113.2', haproxy.origin],
      ['203.0.113.3', haproxy.origin],
    ] as const) {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': forwarded,
        'x-forwarded-host': 'other.example',
        origin,
      }
      statuses.push(await request('/api/auth/sign-in', { method: 'POST', headers }, body))
    }
    // The one wrong password of this network is the second request's.
    expect(statuses).toEqual([403, 401, 429])
  })

  test('metrics are not there for clients, and a body above the largest is refused before it is sent', async () => {
    expect(await request('/metrics')).toBe(404)
    const headers = { ...member.auth, 'content-length': String(1_153_433_601) }
    const refused = new Promise((resolve, reject) => {
      const sent = https.request(`${haproxy.origin}/api/post/add`, {
        method: 'POST',
        headers,
        ca: certificate,
      })
      sent.on('response', (reply) => resolve(reply.statusCode)).on('error', reject)
      sent.flushHeaders()
      sent.once('response', () => sent.destroy())
    })
    expect(await refused).toBe(413)
  })

  test('plain HTTP is redirected, and HTTP/2 is spoken', async () => {
    const plain = await fetch(`http://127.0.0.1:${haproxy.plainPort}/post/1?a=b`, { redirect: 'manual' })
    const to = `https://127.0.0.1:${haproxy.plainPort}/post/1?a=b`
    expect([plain.status, plain.headers.get('location')]).toEqual([308, to])
    const session = http2.connect(haproxy.origin, { ca: certificate })
    const stream = session.request({ ':path': '/api/health/live' })
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    expect(headers[':status']).toBe(200)
    session.close()
  })

  test('a server that is not ready gets no request, and no request fails meanwhile', async () => {
    const received = { first: 0, second: 0 }
    const count = (server: FastifyInstance, name: keyof typeof received) =>
      server.server.on('request', ({ url }) => {
        if (url === '/api/feed/latest') received[name] += 1
      })
    count(world.app, 'first')
    count(second, 'second')
    const statuses = new Set<number>()
    const some = async () => {
      for (let i = 0; i < 20; i++) statuses.add(await request('/api/feed/latest', { headers: member.auth }))
      const counted = { ...received }
      Object.assign(received, { first: 0, second: 0 })
      return counted
    }
    await expect.poll(async () => Math.min(...Object.values(await some()))).toBeGreaterThan(0)
    drainOfSecond.soon = true
    await expect.poll(some).toEqual({ first: 20, second: 0 })
    drainOfSecond.soon = false
    await expect.poll(async () => Math.min(...Object.values(await some()))).toBeGreaterThan(0)
    expect([...statuses]).toEqual([200])
  })
})
