// A server behind nginx stops, and no request fails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Nginx, nginxAvailable, startNginx } from './testing/clients/nginx.ts'
import { freePort } from './testing/free-port.ts'
import { signUp } from './testing/people/members.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import { publish } from './testing/published.ts'
import { openWorld, type World } from './testing/world.ts'

// Skipped where nginx or PostgreSQL are missing: `npm run setup` installs them.
describe.skipIf(!nginxAvailable() || !postgresAvailable())('of two servers behind nginx', () => {
  let world: World
  let nginx: Nginx
  const servers: Running[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    await addProcessMember(world.deps.db)
    const env = {
      DATA_DIR: world.dataDir,
      DATABASE_URL: world.postgres?.url ?? '',
      DRAIN_SECONDS: '2',
      TRUST_PROXY: '1',
    }
    const ports = [await freePort(), await freePort()] as const
    for (const port of ports) servers.push(await startServer({ ...env, PORT: String(port) }))
    nginx = await startNginx(world.dataDir, ports, await freePort())
  })
  afterAll(async () => {
    for (const it of servers) await it.end('SIGKILL')
    await nginx?.close()
    await world?.close()
  })

  test('one stops, and each read and comment meanwhile and afterwards succeeds', async () => {
    const [stopping, staying] = servers
    const postId = await publish(world, await signUp(world))
    const headers = { ...(await signInAt(`http://127.0.0.1:${new URL(defined(staying?.origin)).port}`)) }
    const failed: string[] = []
    const done = { reads: 0, comments: 0 }
    const expectStatus = async (what: string, reply: ReturnType<Nginx['request']>) => {
      const { status } = await reply.catch((error: unknown) => ({ status: String(error) }))
      if (status !== 200) failed.push(`${what}: ${status}`)
    }
    const read = async () => {
      await expectStatus('read', nginx.request('/api/posts', headers))
      done.reads++
    }
    const comment = async () => {
      const id = newId()
      const body = Buffer.from(JSON.stringify({ id, content: `コメント ${id}` }))
      const json = { ...headers, 'content-type': 'application/json' }
      await expectStatus('comment', nginx.request(`/api/posts/${postId}/comments`, json, 'POST', body))
      done.comments++
    }
    const ended = { is: false }
    const repeat = async (once: () => Promise<void>) => {
      while (!ended.is) await once()
      for (let n = 0; n < 10; n++) await once()
    }
    const load = [repeat(read), repeat(read), repeat(comment)]
    await expect.poll(() => done.comments).toBeGreaterThan(5)
    expect(await stopping?.end('SIGTERM')).toBe(0)
    ended.is = true
    await Promise.all(load)
    expect({ failed, log: failed.length > 0 ? nginx.log() : '' }).toEqual({ failed: [], log: '' })
    expect(done.reads).toBeGreaterThan(20)
  })
})
