// A server that is paused during an upload, which another server then takes over.
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { beginPatch } from './testing/media/begun-patch.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import { type RedisServer, redisAvailable, startRedis } from './testing/redis.ts'
import { openWorld, type World } from './testing/world.ts'

const LONG = 240_000
const tus = { 'tus-resumable': '1.0.0' }

describe.skipIf(!postgresAvailable() || !redisAvailable())('two servers on one data folder', () => {
  let world: World
  let redis: RedisServer
  const servers: Running[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    await addProcessMember(world.deps.db)
    redis = await startRedis()
  }, LONG)
  afterAll(async () => {
    for (const it of servers) await it.end('SIGKILL')
    await redis.discard()
    await world.close()
  })

  async function start(): Promise<Running> {
    const urls = { DATABASE_URL: world.postgres?.url ?? '', REDIS_URL: redis.url }
    const server = await startServer({ DATA_DIR: world.dataDir, ...urls })
    servers.push(server)
    return server
  }

  test(
    'writes no byte any more after the other has taken over its upload',
    async () => {
      const [one, other] = [await start(), await start()]
      const headers = await signInAt(one.origin)
      const id = newId()
      const metadata = { 'upload-length': '1000', 'upload-metadata': `id ${btoa(id)}` }
      await fetch(`${one.origin}/upload-chunking-2`, {
        method: 'POST',
        headers: { ...headers, ...tus, ...metadata },
      })
      const socket = beginPatch(one.origin, id, headers)
      socket.write(Buffer.alloc(400, 'a'))
      const file = path.join(world.dataDir, 'uploads', id)
      await expect.poll(async () => (await stat(file)).size).toBe(400)
      one.process.kill('SIGSTOP')
      socket.write(Buffer.alloc(600, 'x'))
      const type = { 'upload-offset': '400', 'content-type': 'application/offset+octet-stream' }
      const taken = await fetch(`${other.origin}/upload-chunking-2/${id}`, {
        method: 'PATCH',
        headers: { ...headers, ...tus, ...type },
        body: Buffer.alloc(600, 'b'),
      })
      expect([taken.status, taken.headers.get('upload-offset')]).toEqual([204, '1000'])
      const replied = once(socket, 'data')
      one.process.kill('SIGCONT')
      expect(String((await replied)[0])).toMatch(/^HTTP\/1.1 503/)
      const expected = Buffer.concat([Buffer.alloc(400, 'a'), Buffer.alloc(600, 'b')])
      expect((await readFile(file)).equals(expected)).toBe(true)
    },
    LONG,
  )
})
