// Replies of nginx and HAProxy themselves: a page, or the error format.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DefaultHttpStack, Upload } from 'tus-js-client'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { parseResponse, readRefusal, type ReceivedResponse } from '#contract/response.ts'
import { retryAfterOf } from '#contract/retry-after.ts'
import { startHaproxy, haproxyAvailable } from './testing/clients/haproxy.ts'
import {
  certificate,
  nginxAvailable,
  type Nginx,
  type NginxReply,
  startNginx,
} from './testing/clients/nginx.ts'
import { rawRequest } from './testing/clients/raw-request.ts'
import { freePort } from './testing/free-port.ts'
import { type Member, noise, signUp } from './testing/people/members.ts'
import { openWorld, storedAt, type World } from './testing/world.ts'

const pages = path.join(import.meta.dirname, '../deploy/pages')
const unavailable = readFileSync(path.join(pages, 'unavailable.html'), 'utf8')
const refused = readFileSync(path.join(pages, 'refused.html'), 'utf8')
const person = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const device = { accept: 'application/json' }

type Name = 'nginx' | 'HAProxy'
type Proxy = Pick<Nginx, 'request' | 'origin'>

/** Starts a proxy, which ends with its test. @param connections of one network address */
async function proxyTo(name: Name, ports: readonly [number, number], connections?: number): Promise<Proxy> {
  const port = await freePort()
  if (name === 'HAProxy') {
    const haproxy = await startHaproxy(ports, port, connections)
    onTestFinished(() => haproxy.close())
    return haproxy
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-no-data-'))
  const nginx = await startNginx(folder, ports, port, connections === undefined ? {} : { connections })
  onTestFinished(async () => {
    await nginx.close()
    rmSync(folder, { recursive: true })
  })
  return nginx
}

const received = ({ status, headers, bytes }: NginxReply): ReceivedResponse => ({
  status,
  body: bytes.toString('utf8'),
  header: (name) => headers[name.toLowerCase()]?.toString(),
})

const portOf = async (server: Server): Promise<number> => {
  if (!server.listening) await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A server that is ready, and does what is given with every other request. */
async function serverThat(answers: http.RequestListener): Promise<number> {
  const server = http.createServer((request, reply) => {
    if (request.url === '/api/health/ready') return void reply.end('{"status":"ok"}')
    answers(request, reply)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server.listen(0, '127.0.0.1'))
}

const away = async () => [await freePort(), await freePort()] as const
const killed = async () => {
  const kill: http.RequestListener = ({ socket }) => socket.destroy()
  return [await serverThat(kill), await serverThat(kill)] as const
}

const available = nginxAvailable() && haproxyAvailable()

describe.skipIf(!available).each(['nginx', 'HAProxy'] as const)('%s', (name) => {
  describe.each([
    ['while no server listens', away],
    ['when every server is killed during the request', killed],
  ])('%s', (_, ports) => {
    test('replies to a person with a page that says so, and that no cache keeps', async () => {
      const proxy = await proxyTo(name, await ports())
      const reply = await proxy.request('/post/1?a=b', person)
      expect([502, 503]).toContain(reply.status)
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '10',
      })
      expect(reply.headers).not.toHaveProperty('todoke-answer')
      expect(reply.bytes.toString('utf8')).toBe(unavailable)
      // For the worker and the app it is no reply of the server: they try later.
      expect(parseResponse(v.object({}), received(reply))).toEqual({ is: 'foreign' })
    })

    test('replies to the API as the server would, whatever the method', async () => {
      const proxy = await proxyTo(name, await ports())
      const methods = ['GET', 'POST', 'PATCH', 'DELETE']
      const replies = await Promise.all(methods.map((it) => proxy.request('/api/feed/latest', device, it)))
      for (const reply of replies) {
        const { status } = reply
        expect([502, 503]).toContain(status)
        const parsed = parseResponse(v.object({}), received(reply))
        expect(parsed).toEqual({ is: 'refusal', status, code: 'unavailable', fields: undefined })
        expect(reply.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          'todoke-answer': 'unavailable',
        })
        expect(retryAfterOf(received(reply).header, 0)).toBe(10_000)
      }
    })

    test('replies to HEAD with the same headers and no body', async () => {
      const proxy = await proxyTo(name, await ports())
      const [upload, page] = await Promise.all([
        proxy.request('/upload-chunking-2/1', { 'tus-resumable': '1.0.0' }, 'HEAD'),
        proxy.request('/', person, 'HEAD'),
      ])
      expect([upload.bytes, page.bytes]).toEqual([Buffer.alloc(0), Buffer.alloc(0)])
      expect(readRefusal(received(upload))).toMatchObject({ is: 'refusal', status: upload.status })
      expect(retryAfterOf(received(upload).header, 0)).toBe(10_000)
      expect([502, 503]).toContain(page.status)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    })
  })

  test('passes errors of a server unchanged, to a person and to the API', async () => {
    const own = { 'retry-after': '7', 'todoke-answer': '1', 'x-request-id': 'one' }
    const port = await serverThat((request, reply) => {
      const type = request.headers.accept === device.accept ? 'application/json' : 'text/html'
      const status = Number(request.url?.slice(1))
      reply.writeHead(status, { ...own, 'content-type': type }).end(`the server’s own ${type}`)
    })
    const proxy = await proxyTo(name, [port, await freePort()])
    for (const status of [400, 403, 404, 405, 413, 429, 500, 501, 502, 503, 504])
      for (const [headers, type] of [
        [person, 'text/html'],
        [device, 'application/json'],
      ] as const) {
        const reply = await proxy.request(`/${status}`, headers)
        expect([reply.status, reply.bytes.toString('utf8')]).toEqual([status, `the server’s own ${type}`])
        expect(reply.headers).toMatchObject({ ...own, 'content-type': type })
      }
  })

  test('refuses the metrics without saying what is there: by a page to a person, by the error format else', async () => {
    const port = await serverThat((_request, reply) => void reply.end('metrics'))
    const proxy = await proxyTo(name, [port, await freePort()])
    const page = await proxy.request('/metrics', person)
    expect([page.status, page.bytes.toString('utf8')]).toEqual([404, refused])
    const reply = await proxy.request('/metrics', device)
    expect([reply.status, reply.bytes.toString('utf8')]).toEqual([404, '{"error":{"code":"not_found"}}'])
    const head = await proxy.request('/metrics', person, 'HEAD')
    expect([head.status, head.bytes]).toEqual([404, Buffer.alloc(0)])
  })

  test('refuses a body that is too large, and what is no request, in the error format', async () => {
    const proxy = await proxyTo(name, await away())
    const replyTo = async (...lines: string[]) => {
      const reply = await rawRequest(proxy.origin, [...lines, 'Host: localhost', '', ''].join('\r\n'))
      const [head, body] = reply.split('\r\n\r\n')
      return [/^HTTP\/1\.1 (\d+)/.exec(defined(head))?.[1], body]
    }
    expect(await replyTo('POST /api/post/add HTTP/1.1', 'Content-Length: 1153433601')).toEqual([
      '413',
      '{"error":{"code":"too_large"}}',
    ])
    const [status, body] = await replyTo('GET /\u0001 HTTP/1.1', 'Connection: close')
    expect(status).toBe('400')
    // HAProxy has a page of its own for it, which its file cannot replace: for a device it is no reply of the server.
    if (name === 'nginx') expect(body).toBe('{"error":{"code":"bad_request"}}')
    else expect(body).toContain('<h1>400 Bad request</h1>')
  })

  test('refuses connections of one network address above its limit: a page to a person, 429 to the API', async () => {
    const waiting: http.ServerResponse[] = []
    const port = await serverThat((_request, reply) => void waiting.push(reply))
    const proxy = await proxyTo(name, [port, await freePort()], 2)
    const held = [proxy.request('/slow', device), proxy.request('/slow', device)]
    await expect.poll(() => waiting.length).toBe(2)
    const reply = await proxy.request('/api/feed/latest', device)
    expect(parseResponse(v.object({}), received(reply))).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(reply.headers['retry-after']).toBe('10')
    const page = await proxy.request('/', person)
    expect([page.status, page.bytes.toString('utf8')]).toEqual([429, refused])
    for (const it of waiting) it.end()
    await Promise.all(held)
  })
})

describe.skipIf(!available)('an upload', () => {
  let world: World
  let member: Member
  beforeAll(async () => {
    world = await openWorld({ listen: true })
    member = await signUp(world)
  })
  afterAll(() => world?.close())

  /** Leads to the server of this file while it is open. */
  function openGate(port: number) {
    const connections = new Set<Socket>()
    const state = { isOpen: true }
    const server = createServer((socket) => {
      if (!state.isOpen) return void socket.destroy()
      const inner = connect(Number(new URL(world.origin).port), '127.0.0.1')
      for (const [it, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        connections.add(it)
        it.on('error', () => undefined).on('close', () => {
          connections.delete(it)
          other.destroy()
        })
        it.pipe(other)
      }
    }).listen(port, '127.0.0.1')
    onTestFinished(() => void server.close())
    return {
      set isOpen(isOpen: boolean) {
        state.isOpen = isOpen
        if (!isOpen) for (const it of connections) it.destroy()
      },
    }
  }

  test.each(['nginx', 'HAProxy'] as const)('through %s goes on after its servers were away', async (name) => {
    const ports = await away()
    const gates = ports.map(openGate)
    const proxy = await proxyTo(name, ports)
    const bytes = noise(2_345_678)
    const refusals: (number | undefined)[] = []
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${proxy.origin}/upload-chunking-2`,
        chunkSize: 512 * 1024,
        retryDelays: Array.from({ length: 300 }, () => 100),
        headers: member.auth,
        metadata: { filename: 'video.mp4' },
        httpStack: new DefaultHttpStack({ ca: certificate }),
        onChunkComplete() {
          if (refusals.length === 0) for (const gate of gates) gate.isOpen = false
        },
        onShouldRetry({ originalResponse }) {
          refusals.push(originalResponse?.getStatus())
          for (const gate of gates) gate.isOpen = true
          return true
        },
        onSuccess: () => resolve(defined(upload.url)),
        onError: reject,
      })
      upload.start()
    })
    expect(refusals.length).toBeGreaterThan(0)
    expect((await readFile(storedAt(world, 'uploads', url.slice(-36)))).equals(bytes)).toBe(true)
  })
})
