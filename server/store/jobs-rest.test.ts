// Jobs of a process that stops soon: other processes take them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { openJobs } from './jobs.ts'

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a resting process', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    test('finishes its job and fetches no other one; another process runs those', async () => {
      const fail = (error: Error) => expect.unreachable(error.message)
      const [resting, other] = [world.deps.jobs, await openJobs(world.database, fail)]
      const [ran, taken]: [string[], string[]] = [[], []]
      const finish = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const done = Promise.withResolvers<void>()
      await resting.work('post.released', 1, async ({ postId }) => {
        begun.resolve()
        await finish.promise
        ran.push(postId)
        done.resolve()
      })
      const enqueue = (postId: string) =>
        world.deps.transaction(async (unit) => unit.enqueue('post.released', { postId }))
      await enqueue('first')
      await begun.promise
      await resting.rest()
      finish.resolve()
      await done.promise
      await enqueue('second')
      await enqueue('third')
      const all = Promise.withResolvers<void>()
      await other.work('post.released', 1, async ({ postId }) => {
        taken.push(postId)
        if (taken.length === 2) all.resolve()
      })
      await all.promise
      expect([ran, taken.toSorted()]).toEqual([['first'], ['second', 'third']])
      await other.stop()
    })
  })
})
