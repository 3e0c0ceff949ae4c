// A way to an object store that refuses requests, cuts replies and is slow.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '#server/adapters/s3/client.ts'

export interface UnstableStore {
  /** Settings with its address in place of that of the store. */
  readonly settings: S3Settings
  /** Requests that it has received: method and path. */
  readonly requests: readonly string[]
  /** The next requests whose path has a text are answered by 503; with 0 none is. */
  refuse(count: number, having?: string): void
  /** The next replies end after so many bytes, by a lost connection. */
  cut(count: number, afterBytes: number): void
  /** The next requests reach the store, whose replies are lost. */
  lose(count: number): void
  /** From now on each request waits before it reaches the store. */
  delay(ms: number): void
  close(): Promise<void>
}

/** @param settings of the store behind it */
export async function openUnstableStore(settings: S3Settings): Promise<UnstableStore> {
  const requests: string[] = []
  let refused = { count: 0, having: '' }
  let lost = 0
  let cuts = { count: 0, afterBytes: 0 }
  let wait = 0
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    if (refused.count > 0 && incoming.url?.includes(refused.having)) {
      refused = { ...refused, count: refused.count - 1 }
      incoming.resume()
      outgoing.writeHead(503, { 'content-type': 'application/xml' })
      outgoing.end('<Error><Code>SlowDown</Code><Message>slow down</Message></Error>')
      return
    }
    const pass = (limit: number) => forward(settings.endpoint, incoming, outgoing, limit)
    if (lost-- > 0) return pass(-1)
    const limit = cuts.count > 0 ? cuts.afterBytes : Number.POSITIVE_INFINITY
    cuts = { ...cuts, count: cuts.count - 1 }
    if (wait > 0) setTimeout(pass, wait, limit)
    else pass(limit)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: { ...settings, endpoint: `http://127.0.0.1:${port}` },
    requests,
    refuse: (count, having = '') => void (refused = { count, having }),
    lose: (count) => void (lost = count),
    cut: (count, afterBytes) => void (cuts = { count, afterBytes }),
    delay: (ms) => void (wait = ms),
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

function forward(to: string, incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  const { method, headers } = incoming
  const behind = request(new URL(incoming.url ?? '/', to), { method, headers }, (reply) => {
    if (limit < 0) return void reply.resume().on('end', () => outgoing.destroy())
    outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
    let left = limit
    reply.on('data', (bytes: Buffer) => {
      outgoing.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left > 0) return
      reply.destroy()
      outgoing.destroy()
    })
    reply.on('end', () => outgoing.end())
    reply.on('error', () => outgoing.destroy())
  })
  behind.on('error', () => outgoing.destroy())
  incoming.pipe(behind)
}
