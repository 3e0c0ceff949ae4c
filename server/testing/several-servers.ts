// Test servers behind nginx, on one PostgreSQL, Redis and object store.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { readEnv } from '#server/env/env.ts'
import { openDeps } from '#server/open-deps.ts'
import { type Nginx, startNginx } from './clients/nginx.ts'
import { freePort } from './free-port.ts'
import { startRedis } from './redis.ts'
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

/** Sends an injected request through nginx. @returns what tests read of its response */
async function send(nginx: Nginx, { method, url, headers, payload }: InjectOptions): Promise<Response> {
  const { body, type } = bodyOf(payload)
  const sent = { ...(type && { 'content-type': type }), ...(headers as Record<string, string>) }
  if (typeof url !== 'string') throw new Error('the address of a request is a text here')
  const reply = await nginx.request(url, sent, method, body)
  const text = reply.bytes.toString()
  const seen = { statusCode: reply.status, headers: reply.headers, rawPayload: reply.bytes, body: text }
  return { ...seen, payload: text, json: () => JSON.parse(text) as unknown } as unknown as Response
}

/**
 * Opens a world whose requests go through nginx to two servers, which are opened as the environment says. Its
 * dependencies are of a third one.
 * @param dist folder of the built page
 */
export async function openSeveralServers(dist: string): Promise<World> {
  const [port, redis, s3] = [await freePort(), await startRedis(), await newBuckets()]
  const publicUrl = `https://localhost:${port}`
  const world = await openWorld({ database: 'postgres', settings: { dist, publicUrl }, parts: { s3 } })
  const env = readEnv({
    NODE_ENV: 'development',
    ROLE: 'web',
    DATABASE_URL: world.postgres?.url ?? '',
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
  const app = { inject: (options: InjectOptions) => send(nginx, options) } as unknown as World['app']
  return {
    ...world,
    app,
    async close() {
      await nginx.close()
      for (const it of [first, second]) {
        it.app.server.closeAllConnections()
        await it.app.close()
        await it.deps.close()
      }
      await world.close()
      await redis.discard()
    },
  }
}
