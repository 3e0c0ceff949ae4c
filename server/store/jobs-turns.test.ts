// Jobs that follow one another leave turns to requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'

/** How often the job of the test enqueues itself again. */
const JOBS = 100

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('jobs', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    test('of a long chain do not keep a timer waiting until its end', async () => {
      const { jobs, transaction } = world.deps
      let done = 0
      let turns = 0
      const again = () => transaction(({ enqueue }) => enqueue('post.released', { postId: `${done}` }))
      const counted = new Promise<number>((resolve) => {
        void jobs.work('post.released', 1, async () => {
          done++
          if (done === JOBS) resolve(turns)
          else await again()
        })
      })
      const timer = setInterval(() => turns++, 0)
      await again()
      expect(await counted).toBeGreaterThan(JOBS / 4)
      clearInterval(timer)
    })
  })
})
