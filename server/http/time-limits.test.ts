// Slow requests are refused with their code; uploads only when they pause.
import http, { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { API_BASE, SHARE_PATH, TUS_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { usualTimes } from './time-limits.ts'

const limits = { ...usualTimes, body: 300, answer: 2000, uploadIdle: 2000 }
let world: World
let member: Member
beforeAll(async () => {
  world = await openWorld({ listen: true, settings: { timeLimits: limits } })
  member = await signUp(world)
})
afterAll(() => world.close())

interface Raw {
  readonly socket: Socket
  readonly closed: Promise<unknown>
  received(): string
}

function open(head: readonly string[]): Raw {
  const socket = connect(Number(new URL(world.origin).port), '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => (text += String(bytes))).on('error', () => undefined)
  socket.write(
    `${['host: localhost', ...head.slice(1)].reduce((all, it) => `${all}\r\n${it}`, defined(head[0]))}\r\n\r\n`,
  )
  return { socket, closed: new Promise((resolve) => socket.once('close', resolve)), received: () => text }
}

const code = (received: string) => [received.split('\r\n')[0], /"code":"(\w+)"/.exec(received)?.[1]]

/** Sends one byte every 50 ms until the connection is closed. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write(' '), 50)
  socket.once('close', () => clearInterval(timer))
}

test('a body that arrives too slowly is request_timeout, and its connection is closed', async () => {
  const { socket, closed, received } = open([
    `POST ${API_BASE}/auth/sign-in HTTP/1.1`,
    'content-type: application/json',
    'content-length: 100000',
  ])
  drip(socket)
  await closed
  expect(code(received())).toEqual(['HTTP/1.1 408 Request Timeout', 'request_timeout'])
})

test('a chunked body that never ends, and one that never begins, are request_timeout', async () => {
  const ends = [['transfer-encoding: chunked'], ['content-length: 5']].map(async (more) => {
    const { closed, received } = open([
      `POST ${API_BASE}/auth/sign-in HTTP/1.1`,
      'content-type: application/json',
      ...more,
    ])
    await closed
    return code(received())
  })
  const late = ['HTTP/1.1 408 Request Timeout', 'request_timeout']
  expect(await Promise.all(ends)).toEqual([late, late])
})

test('a slow body that no route reads does not keep its connection open', async () => {
  const { socket, closed, received } = open([
    `POST ${SHARE_PATH} HTTP/1.1`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 100000',
  ])
  drip(socket)
  await closed
  expect(received()).toContain('HTTP/1.1 303')
})

test('a reply that takes too long is unavailable', async () => {
  const ping = vi.spyOn(world.database, 'ping').mockReturnValue(new Promise(() => undefined))
  const reply = await fetch(`${world.origin}${API_BASE}/health`)
  ping.mockRestore()
  expect([reply.status, await reply.json()]).toEqual([503, { error: { code: 'unavailable' } }])
})

const upload = () =>
  open([
    `POST ${API_BASE}/post/add HTTP/1.1`,
    `authorization: ${member.auth.authorization}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 100000',
  ])

test('a slow upload continues without a limit of its total time', async () => {
  const { socket, closed, received } = upload()
  let isOpen = true
  void closed.then(() => (isOpen = false))
  drip(socket)
  // As many bytes take longer than a body and a reply may together.
  const head = socket.bytesWritten
  await expect.poll(() => !isOpen || socket.bytesWritten > head + 60).toBe(true)
  expect([isOpen, received()]).toEqual([true, ''])
  socket.destroy()
})

test('an upload that pauses is request_timeout', async () => {
  const { socket, closed, received } = upload()
  socket.write('--x\r\n')
  await closed
  expect(code(received())).toEqual(['HTTP/1.1 408 Request Timeout', 'request_timeout'])
})

test('a resumable upload that pauses keeps all received bytes', async () => {
  const id = '0198c0de-0000-7000-8000-000000000001'
  const auth = `authorization: ${member.auth.authorization}`
  const made = await fetch(world.origin + TUS_PATH, {
    method: 'POST',
    headers: {
      authorization: member.auth.authorization,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `id ${Buffer.from(id).toString('base64')}`,
    },
  })
  expect(made.status).toBe(201)
  const { socket, closed } = open([
    `PATCH ${TUS_PATH}/${id} HTTP/1.1`,
    auth,
    'tus-resumable: 1.0.0',
    'upload-offset: 0',
    'content-type: application/offset+octet-stream',
    'content-length: 1000',
  ])
  socket.write('x'.repeat(400))
  await closed
  const offset = async () => {
    const head = await fetch(`${world.origin}${TUS_PATH}/${id}`, {
      method: 'HEAD',
      headers: { authorization: member.auth.authorization, 'tus-resumable': '1.0.0' },
    })
    return head.headers.get('upload-offset')
  }
  await expect.poll(offset).toBe('400')
})

test('requests leave no listener on their connection, which serves the next ones', async () => {
  const connections: Socket[] = []
  const add = (socket: Socket) => void connections.push(socket)
  world.app.server.on('connection', add)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const url = `${world.origin}${API_BASE}/auth/sign-in`
      const request = http.request(url, { method: 'POST', agent, headers }, (reply) => {
        reply.resume().on('end', () => resolve(defined(reply.statusCode)))
      })
      request.on('error', reject).end('{"email":"none@example.com"}')
    })
  expect(await send()).toBe(422)
  const before = connections[0]?.listenerCount('close')
  for (let i = 0; i < 20; i++) expect(await send()).toBe(422)
  expect([connections.length, connections[0]?.listenerCount('close')]).toEqual([1, before])
  agent.destroy()
  world.app.server.off('connection', add)
})
