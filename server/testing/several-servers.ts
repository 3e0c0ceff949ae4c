// Test servers behind nginx, on PostgreSQL with a replica, Redis and an object store.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { defined } from '#contract/testing/defined.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { readEnv } from '#server/env/env.ts'
import { openDeps } from '#server/open-deps.ts'
import { type Nginx, startNginx } from './clients/nginx.ts'
import { freePort } from './free-port.ts'
import { startRedis } from './redis.ts'
import { startPrimary, startReplica } from './replication/replica.ts'
import { METRICS_TOKEN, scrape } from './scrape.ts'
import { newBuckets, s3Environment } from './s3/stores.ts'
import { openWorld, type World } from './world.ts'

/** Whether worlds are several servers: the project `unit-servers` of vitest runs some files again with them. */
export const onSeveralServers = process.env['SERVERS'] === 'several'

const silent = { failed: () => undefined, redis: () => undefined, realtime: () => undefined }

/** Body of a request, and its type where it is not given. */
function bodyOf(payload: InjectOptions['payload']): { body?: Buffer; type?: string } {
  if (payload === undefined) return {}
  if (Buffer.isBuffer(payload)) return { body: payload }
  if (typeof payload === 'string') return { body: Buffer.from(payload) }
  return { body: Buffer.from(JSON.stringify(payload)), type: 'application/json' }
}

/** Cookies of each person, by their authorization: with them a replica may serve their lists. */
type Cookies = Map<string, string>

/** Sends an injected request through nginx, as a browser does. @returns what tests read of its response */
async function send(
  nginx: Nginx,
  cookies: Cookies,
  { method, url, headers, payload }: InjectOptions,
): Promise<Response> {
  const { body, type } = bodyOf(payload)
  const given = headers as Record<string, string> | undefined
  const who = given?.['authorization'] ?? ''
  const cookie = cookies.get(who)
  const sent = { ...(type && { 'content-type': type }), ...(cookie && { cookie }), ...given }
  if (typeof url !== 'string') throw new Error('the address of a request is a text here')
  const reply = await nginx.request(url, sent, method, body)
  const [set] = reply.headers['set-cookie'] ?? []
  if (set !== undefined && who !== '') cookies.set(who, defined(set.split(';')[0]))
  const text = reply.bytes.toString()
  const seen = { statusCode: reply.status, headers: reply.headers, rawPayload: reply.bytes, body: text }
  return { ...seen, payload: text, json: () => JSON.parse(text) as unknown } as unknown as Response
}

/** How many lists a server has read from its replicas. */
async function replicaReads(app: World['app']): Promise<number> {
  const { value } = await scrape({ app })
  return value('todoke_replica_reads_total{kind="replica"}') ?? 0
}

/**
 * Opens a world whose requests go through nginx to two servers, which are opened as the environment says. Its
 * dependencies are of a third one.
 * @param dist folder of the built page
 */
export async function openSeveralServers(dist: string): Promise<World> {
  const [port, redis, s3] = [await freePort(), await startRedis(), await newBuckets()]
  const primary = await startPrimary()
  const replica = await startReplica(primary)
  const publicUrl = `https://localhost:${port}`
  const world = await openWorld({
    at: { url: primary.url },
    settings: { dist, publicUrl },
    parts: { s3 },
  })
  const env = readEnv({
    NODE_ENV: 'development',
    ROLE: 'web',
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: replica.url,
    METRICS_TOKEN,
    DATA_DIR: world.dataDir,
    REDIS_URL: redis.url,
    ...s3Environment(s3),
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    SEED_DEMO: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: '0',
    OVERLOAD_DELAY_MS: '0',
    MIN_FREE_DISK_BYTES: '0',
  })
  const open = async (): Promise<{ deps: Deps; app: World['app']; port: number }> => {
    const deps = await openDeps(env, silent)
    const { clock } = world.deps
    const app = await buildApp({ ...deps, clock, settings: { ...deps.settings, dist } })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return { deps, app, port: Number(new URL(address).port) }
  }
  const [first, second] = [await open(), await open()]
  const nginx = await startNginx(world.dataDir, [first.port, second.port], port)
  const cookies: Cookies = new Map()
  const app = { inject: (options: InjectOptions) => send(nginx, cookies, options) } as unknown as World['app']
  return {
    ...world,
    app,
    async close() {
      await nginx.close()
      const servedBy = [await replicaReads(first.app), await replicaReads(second.app)]
      for (const it of [first, second]) {
        it.app.server.closeAllConnections()
        await it.app.close()
        await it.deps.close()
      }
      await world.close()
      await replica.remove()
      await primary.remove()
      await redis.discard()
      if (servedBy.some((reads) => reads === 0)) throw new Error('a server has read no list from the replica')
    },
  }
}
