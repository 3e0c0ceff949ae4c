// A small load balancer, which sends requests only to servers that are ready.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { slowness } from './slowness.ts'

/** Pause between two probes of a server, ms. */
const PROBE_EVERY = 100

export interface Balancer {
  readonly origin: string
  /** Probes a server until `remove`. Resolves when it is first ready. */
  add(origin: string): Promise<void>
  remove(origin: string): void
  /** Replies passed on, by server. */
  readonly passed: ReadonlyMap<string, number>
  close(): Promise<void>
}

export async function openBalancer(): Promise<Balancer> {
  const ready = new Map<string, boolean>()
  const passed = new Map<string, number>()
  const agent = new http.Agent({ keepAlive: true })
  let turn = 0
  const server = http.createServer((request, reply) => {
    const servers = [...ready].flatMap(([origin, isReady]) => (isReady ? [origin] : []))
    const origin = servers[turn++ % servers.length]
    const fail = (status: number) => {
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(status).end()
    }
    if (origin === undefined) return fail(503)
    const { method, headers, url = '/' } = request
    const upstream = http.request(origin + url, { method, headers, agent }, (answer) => {
      passed.set(origin, (passed.get(origin) ?? 0) + 1)
      const { connection, ...kept } = answer.headers
      reply.writeHead(answer.statusCode ?? 502, connection === 'close' ? kept : answer.headers)
      answer.pipe(reply)
    })
    upstream.on('error', () => fail(502))
    request.pipe(upstream)
  })
  const probe = async (origin: string): Promise<void> => {
    while (ready.has(origin)) {
      const answer = await fetch(`${origin}/api/health/ready`).catch(() => undefined)
      if (ready.has(origin)) ready.set(origin, answer?.status === 200)
      await slowness(PROBE_EVERY)
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(origin) {
      ready.set(origin, false)
      void probe(origin)
      while (ready.get(origin) === false) await slowness(PROBE_EVERY / 4)
    },
    remove: (origin) => void ready.delete(origin),
    passed,
    async close() {
      ready.clear()
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
