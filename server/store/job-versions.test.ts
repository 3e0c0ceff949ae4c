// Jobs of a newer version, fetched by a server of an older one.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { openJobs } from './jobs.ts'

const polling = { timeout: 20_000, interval: 20 }

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('two versions of a job', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const row = async () => {
      const { rows } = await world.database.executeSql(
        `select state::text, retry_count as tries, start_after > now() as later, data from pgboss.job where name = 'post.released'`,
      )
      return rows[0] as { state: string; tries: number; later: boolean; data: unknown }
    }

    test('the older server puts a newer job back without a try; the newer one does it, and older jobs too', async () => {
      const fail = (error: Error) => expect.unreachable(error.message)
      const older = world.deps.jobs
      const newer = await openJobs(world.database, fail, { versions: { 'post.released': 2 } })
      const [byOlder, byNewer]: [string[], string[]] = [[], []]
      await world.database.db.transaction((tx) => newer.enqueue(tx, 'post.released', { postId: 'new' }))
      await older.work('post.released', 1, async ({ postId }) => void byOlder.push(postId))
      await vi.waitUntil(async () => (await row()).later, polling)
      expect(await row()).toEqual({ state: 'retry', tries: 0, later: true, data: { postId: 'new', v: 2 } })
      await older.rest()
      await world.database.executeSql(
        `update pgboss.job set start_after = now() where name = 'post.released'`,
      )
      await world.database.db.transaction((tx) => older.enqueue(tx, 'post.released', { postId: 'old' }))
      await newer.work('post.released', 1, async ({ postId }) => void byNewer.push(postId))
      await vi.waitUntil(() => byNewer.length === 2, polling)
      expect([byOlder, byNewer.toSorted()]).toEqual([[], ['new', 'old']])
      const { rows } = await world.database.executeSql(
        `select retry_count as tries from pgboss.job where name = 'post.released'`,
      )
      expect(rows).toEqual([{ tries: 0 }, { tries: 0 }])
      await newer.stop()
    })
  })
})
