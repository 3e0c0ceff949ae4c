// Clients of measurements read whole replies, and refuse failed ones.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { HttpConnection } from './load.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function connectTo(
  listener: (request: IncomingMessage, reply: ServerResponse) => unknown,
): Promise<HttpConnection> {
  const server = createServer((request, reply) => void listener(request, reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => server.close())
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const connection = new HttpConnection(`http://127.0.0.1:${port}`)
  opened.push(() => connection.close())
  return connection
}

test('a reply in parts is read to its end before the next request is sent', async () => {
  const written: string[] = []
  const connection = await connectTo(async (request, reply) => {
    for (const part of ['0\r\n', '\r\n0', '\r\n\r\n', 'the end']) {
      reply.write(part)
      await new Promise((done) => setImmediate(done))
    }
    written.push(`${request.url}`)
    reply.end()
  })
  await connection.send({ path: '/first', compressed: true })
  expect(written).toEqual(['/first'])
  await connection.send({ path: '/second' })
  expect(written).toEqual(['/first', '/second'])
})

test('a write is sent as JSON with its method, token and length in bytes', async () => {
  const received: unknown[] = []
  const connection = await connectTo(async (request, reply) => {
    const body = await text(request)
    const { authorization, 'content-type': type } = request.headers
    received.push(request.method, authorization, type, JSON.parse(body))
    reply.writeHead(201, { 'content-length': 2 }).end('{}')
  })
  await connection.send({ path: '/', method: 'PUT', token: 'one', body: { text: '写真' } })
  expect(received).toEqual(['PUT', 'Bearer one', 'application/json', { text: '写真' }])
})

test.each([307, 403, 503])('a reply with status %i fails', async (status) => {
  const connection = await connectTo((_, reply) => reply.writeHead(status, { 'content-length': 0 }).end())
  await expect(connection.send({ path: '/' })).rejects.toThrow(`answered HTTP/1.1 ${status}`)
})
