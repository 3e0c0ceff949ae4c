// The port of a server that stops.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { nextTick } from 'node:process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { closePort } from './close-port.ts'

test('a connection that the system has made just before gets its reply, and the next one is refused', async () => {
  const server = createServer((_, reply) => reply.writeHead(200, { connection: 'close' }).end('served'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  // The client connects in the next tick. The connection is complete then, and the server has not accepted it.
  await promisify(nextTick)()
  const [reply] = await Promise.all([text(client), closePort(server)])
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*served\r\n/)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
})
