// Servers go on by themselves after a replica became the primary.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { freePort } from './testing/free-port.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import { publish } from './testing/published.ts'
import { signUp } from './testing/people/members.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { type ReplicaServer, startPrimary, startReplica } from './testing/replication/replica.ts'
import { openTcpProxy, type TcpProxy } from './testing/clients/tcp-proxy.ts'
import { openWorld } from './testing/world.ts'

/** Longest time of a request while the database is gone, ms. */
const NO_HANG = 15_000

describe.skipIf(!postgresAvailable())('after the death of the primary', () => {
  let primary: PostgresServer
  let proxy: TcpProxy
  let [first, second]: ReplicaServer[] = []
  let server: Running
  let headers: Record<string, string>
  let dataDir: string
  let closeWorld: () => Promise<void>
  let postId: string

  beforeAll(async () => {
    primary = await startPrimary()
    proxy = await openTcpProxy(primary.port)
    const world = await openWorld({ at: { url: primary.url } })
    dataDir = world.dataDir
    closeWorld = () => world.close()
    await addProcessMember(world.deps.db)
    postId = await publish(world, await signUp(world), { content: '残る投稿' })
    first = await startReplica(primary)
    second = await startReplica(primary, { follows: proxy.port })
    const gone = `postgresql://postgres@127.0.0.1:${await freePort()}/postgres`
    server = await startServer({
      DATA_DIR: dataDir,
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      DATABASE_REPLICA_URLS: [first.url, second.url, gone].join(','),
      METRICS_TOKEN: 'a-token-of-metrics-with-more-than-32-characters',
      LOG_LEVEL: 'silent',
    })
    headers = await signInAt(server.origin)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    await closeWorld().catch(() => undefined)
    await proxy.close()
    for (const it of [second, first, primary]) await it?.remove()
  })

  const ask = async (
    at: string,
    options: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ) => {
    const signal = AbortSignal.timeout(NO_HANG)
    const reply = await fetch(server.origin + at, {
      ...options,
      headers: { ...headers, ...options.headers },
      signal,
    })
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
  }
  const standings = async () => {
    const authorization = 'Bearer a-token-of-metrics-with-more-than-32-characters'
    const { text } = await ask('/metrics', { headers: { authorization } })
    return [...text.matchAll(/^todoke_replica_standing\{replica="\d",standing="(\w+)"\} 1$/gm)].map(
      (it) => it[1],
    )
  }

  test('a server starts although one replica is gone, and uses the others', async () => {
    await expect.poll(standings).toEqual(['used', 'used', 'unreachable'])
    expect((await ask('/api/feed/latest')).text).toContain('残る投稿')
  })

  test('requests are answered 503 with a time to retry, and none hangs', async () => {
    await expect.poll(async () => first?.isCaughtUp()).toBe(true)
    const under = Array.from({ length: 10 }, () => ask('/api/feed/latest'))
    await primary.kill()
    const during = await Promise.all([
      ...under,
      ask('/api/feed/latest'),
      ask(`/api/posts/${postId}`),
      ask(`/api/posts/${postId}/like`, { method: 'PUT' }),
    ])
    for (const it of during)
      expect([200, it.retryAfter === null ? '503 without a time' : 503]).toContain(it.status)
    expect(during.at(-1)).toMatchObject({
      status: 503,
      retryAfter: '5',
      text: expect.stringContaining('unavailable'),
    })
  })

  test('the promoted one is the primary, the other one follows it, and nothing is lost', async () => {
    await first?.promote()
    proxy.leadTo(defined(first?.port))
    await expect.poll(async () => (await ask(`/api/posts/${postId}`)).status).toBe(200)
    const liked = await ask(`/api/posts/${postId}/like`, { method: 'PUT' })
    expect([liked.status, (await ask('/api/feed/latest')).text]).toEqual([
      200,
      expect.stringContaining('残る投稿'),
    ])
    await expect.poll(standings).toEqual(['promoted', 'used', 'unreachable'])
  })

  test('jobs go on', async () => {
    const person = {
      email: 'new@example.com',
      password: 'todoke-1234',
      name: '花',
      birth_date: '1990-01-01',
      terms: true,
    }
    const emails = async () => (await readdir(path.join(dataDir, 'mail')).catch(() => [])).length
    const before = await emails()
    const type = { 'content-type': 'application/json' }
    const reply = await ask('/api/auth/sign-up', {
      method: 'POST',
      headers: type,
      body: JSON.stringify(person),
    })
    expect(reply.status).toBe(200)
    await expect.poll(emails).toBe(before + 1)
  })
})
