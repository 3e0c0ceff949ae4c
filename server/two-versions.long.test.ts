// A new version replaces the running one under load.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import { newId } from '#contract/ids.ts'
import { type Balancer, openBalancer } from './testing/clients/balancer.ts'
import { laterVersion, type LaterVersion } from './testing/later-version.ts'
import { noise, signUp } from './testing/people/members.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import { publish } from './testing/published.ts'
import { openWorld, storedAt, type World } from './testing/world.ts'

/** How often the running version is replaced by the next one; more often in `npm run test:deep -- upgrades`. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1)
const CHUNK = 256 * 1024
const UPLOAD = 3 * 1024 * 1024

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Load {
  /** Requests with another status than their own, and those without a reply. */
  readonly failed: string[]
  /** Ids of the comments whose reply arrived. */
  readonly comments: string[]
  /** Bytes of each finished upload, as a digest, by its id. */
  readonly uploads: Map<string, string>
  reads: number
  /** Chunks that the client sent again. */
  retried: number
}

describe.skipIf(!postgresAvailable())('on one PostgreSQL and one data folder', () => {
  let world: World
  let balancer: Balancer
  const versions: LaterVersion[] = []
  const servers: Running[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    await addProcessMember(world.deps.db)
    balancer = await openBalancer()
  })
  afterAll(async () => {
    for (const it of servers) await it.end('SIGKILL')
    await balancer.close()
    for (const it of versions) await it.remove()
    await world.close()
  })

  const folder = () => world.dataDir
  async function start(program?: string): Promise<Running> {
    const env = { DATA_DIR: folder(), DATABASE_URL: world.postgres?.url ?? '', DRAIN_SECONDS: '2' }
    const server = await startServer(env, program)
    servers.push(server)
    return server
  }

  function upload(load: Load, headers: Record<string, string>): Promise<void> {
    const [id, bytes] = [newId(), noise(UPLOAD)]
    return new Promise((resolve) => {
      new Upload(bytes, {
        endpoint: `${balancer.origin}/upload-chunking-2`,
        chunkSize: CHUNK,
        retryDelays: [100, 500, 1000],
        headers,
        metadata: { id, filename: 'video.mp4' },
        onShouldRetry: () => (load.retried++, true),
        onSuccess: () => (load.uploads.set(id, digestOf(bytes)), resolve()),
        onError: (error) => (load.failed.push(`upload: ${error.message}`), resolve()),
      }).start()
    })
  }

  async function request(load: Load, what: string, options: RequestInit, status: number): Promise<boolean> {
    const reply = await fetch(balancer.origin + what, options).catch((error: unknown) => String(error))
    if (typeof reply === 'string') return (load.failed.push(`${what}: ${reply}`), false)
    const text = await reply.text()
    if (reply.status !== status) load.failed.push(`${what}: ${reply.status} ${text}`)
    return reply.status === status
  }

  async function comment(load: Load, headers: Record<string, string>, postId: string): Promise<void> {
    const id = newId()
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ id, content: `コメント ${id}` }),
    }
    if (await request(load, `/api/posts/${postId}/comments`, options, 200)) load.comments.push(id)
  }

  /** Puts load on the servers while the work runs, and ends with whole requests. */
  async function underLoad(postId: string, work: (load: Load) => Promise<void>): Promise<Load> {
    const load: Load = { failed: [], comments: [], uploads: new Map(), reads: 0, retried: 0 }
    const headers = await signInAt(balancer.origin)
    const over = new AbortController()
    const repeat = async (once: () => Promise<unknown>) => {
      while (!over.signal.aborted) await once()
    }
    const read = async () => {
      if (await request(load, '/api/posts', { headers }, 200)) load.reads++
    }
    const loops = [
      repeat(read),
      repeat(() => comment(load, headers, postId)),
      repeat(() => upload(load, headers)),
    ]
    await work(load).finally(() => over.abort())
    await Promise.all(loops)
    return load
  }

  /** Resolves after some more of each kind of request. */
  async function someMore(load: Load): Promise<void> {
    const [reads, comments, uploads] = [load.reads, load.comments.length, load.uploads.size]
    const isEnough = () =>
      load.reads >= reads + 5 && load.comments.length >= comments + 5 && load.uploads.size > uploads
    await expect.poll(() => isEnough() || load.failed.length > 0, { timeout: 60_000 }).toBe(true)
  }

  test(
    'a new version with a migration replaces the running one, and no request fails',
    async () => {
      const postId = await publish(world, await signUp(world))
      let running = await start()
      await balancer.add(running.origin)
      const load = await underLoad(postId, async (now) => {
        await someMore(now)
        for (let round = 1; round <= ROUNDS; round++) {
          const more = Array.from(
            { length: round },
            (_, i) => `alter table "posts" add column "later_${i}" integer`,
          )
          const version = await laterVersion(more)
          versions.push(version)
          const next = await start(version.program)
          await balancer.add(next.origin)
          await someMore(now)
          expect(await running.end('SIGTERM')).toBe(0)
          balancer.remove(running.origin)
          running = next
          await someMore(now)
        }
      })
      expect(load.failed).toEqual([])
      for (const { origin } of servers) expect(balancer.passed.get(origin)).toBeGreaterThan(10)
      const { rows } = await world.database.executeSql('select id from comments where post_id = $1', [postId])
      expect((rows as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(load.comments.toSorted())
      for (const [id, digest] of load.uploads)
        expect(digestOf(await readFile(storedAt(world, 'uploads', id)))).toBe(digest)
      await world.database.executeSql(`select later_${ROUNDS - 1} from posts`)
    },
    ROUNDS * 300_000,
  )
})
