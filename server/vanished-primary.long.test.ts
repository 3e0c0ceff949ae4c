// Servers go on after a primary that vanished without closing a connection.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnections } from './adapters/database/primary/connections.ts'
import { serverStart } from './adapters/database/primary/server-start.ts'
import { openTcpProxy, type TcpProxy } from './testing/clients/tcp-proxy.ts'
import { signUp } from './testing/people/members.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import { publish } from './testing/published.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { type ReplicaServer, startPrimary, startReplica } from './testing/replication/replica.ts'
import { openWorld } from './testing/world.ts'

/** The operating system would end the wait of a request after 15 minutes. */
const NO_HANG = 30_000
const METRICS_TOKEN = 'a-token-of-metrics-with-more-than-32-characters'

describe.skipIf(!postgresAvailable())('after a primary has vanished', { timeout: 90_000 }, () => {
  let primary: PostgresServer
  let replica: ReplicaServer
  let proxy: TcpProxy
  let server: Running
  let headers: Record<string, string>
  let closeWorld: () => Promise<void>
  let postId: string

  beforeAll(async () => {
    primary = await startPrimary()
    proxy = await openTcpProxy(primary.port)
    const world = await openWorld({ at: { url: primary.url } })
    await addProcessMember(world.deps.db)
    postId = await publish(world, await signUp(world), { content: '残る投稿' })
    closeWorld = () => world.close()
    replica = await startReplica(primary)
    server = await startServer({
      DATA_DIR: world.dataDir,
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      METRICS_TOKEN,
    })
    headers = await signInAt(server.origin)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    primary.thaw()
    await closeWorld().catch(() => undefined)
    await proxy.close()
    for (const it of [replica, primary]) await it?.remove()
  })

  const call = async (at: string, method = 'GET') => {
    const signal = AbortSignal.timeout(NO_HANG)
    const reply = await fetch(server.origin + at, { method, headers, signal })
    return { status: reply.status, retryAfter: reply.headers.get('retry-after') }
  }
  const breaks = async (reason: string) => {
    const authorization = `Bearer ${METRICS_TOKEN}`
    const text = await (await fetch(`${server.origin}/metrics`, { headers: { authorization } })).text()
    return Number(
      new RegExp(`^todoke_database_breaks_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    )
  }
  const like = () => call(`/api/posts/${postId}/like`, 'PUT')
  const likesOn = async (it: PostgresServer) =>
    Number((await it.sql('select count(*) as n from post_likes'))[0]?.['n'])
  const unavailable = { status: 503, retryAfter: '5' }

  test('of two connections, those to another server are broken, and no others', async () => {
    const connections = createConnections()
    const [first, second] = [primary, replica].map(
      ({ url }) => new connections.Client({ connectionString: url }),
    )
    if (!first || !second) throw new Error('no connections')
    const broken = once(first, 'error')
    for (const it of [first, second]) {
      await it.connect()
      await connections.identify(it)
    }
    const start = await serverStart(second)
    expect([connections.break(start), String((await broken)[0])]).toEqual([
      1,
      expect.stringContaining('terminated unexpectedly'),
    ])
    expect([await serverStart(second), connections.break(start)]).toEqual([start, 0])
    await second.end()
  })

  test('after the address leads to the promoted replica, requests that wait for it are answered', async () => {
    expect((await call(`/api/posts/${postId}`)).status).toBe(200)
    await expect.poll(() => replica.isCaughtUp()).toBe(true)
    primary.freeze()
    const waiting = [like(), call(`/api/posts/${postId}`)]
    await replica.promote()
    proxy.leadNewTo(replica.port)
    expect(await Promise.all(waiting)).toEqual([unavailable, unavailable])
    // A promotion of more than eight seconds makes it `silent`.
    expect((await breaks('moved')) + (await breaks('silent'))).toBe(1)
    await expect.poll(async () => (await like()).status).toBe(200)
    expect(await likesOn(replica)).toBe(1)
  })

  test('a former primary that replies again gets no statement', async () => {
    primary.thaw()
    const liked = await Promise.all(Array.from({ length: 20 }, () => like()))
    expect(liked.map((it) => it.status)).toEqual(liked.map(() => 200))
    expect([await likesOn(replica), await likesOn(primary)]).toEqual([1, 0])
    expect(server.output()).toContain('another PostgreSQL is behind the address')
  })
})
