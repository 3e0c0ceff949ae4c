// Numbers of holds on the transparency page, by reason, end and quarter.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { call } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the numbers of holds', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    /** Adds holds of six things that began and ended at these moments. */
    const held = async (
      reviewer: string,
      reason: string,
      [began, ended]: readonly string[],
      state: string,
    ) => {
      for (let n = 0; n < 6; n++)
        await world.database.executeSql(
          `insert into holds (id, target_kind, target_id, reviewer, reason, word, state, created_at, ended_at)
           values ($1, 'comment', $2, $3, $4, '', $5, $6, $7)`,
          [newId(), newId(), reviewer, reason, state, began, ended ?? null],
        )
    }

    test('count the rules of the operator in the quarters of Asia/Tokyo in which they began and ended', async () => {
      // Half past midnight of the first of July in Tokyo.
      const [spring, summer] = ['2026-06-30T14:59:00Z', '2026-06-30T15:30:00Z']
      await held('staff', 'word', [spring, summer], 'approved')
      await held('staff', 'media', [summer], 'open')
      await held('creator', 'link', [summer, summer], 'removed')
      await held('creator', 'word', [spring, summer], 'withdrawn')
      const { quarters } = (await call(world, null, 'GET', '/transparency')).json()
      expect(quarters).toMatchObject([
        {
          name: '2026-Q3',
          holds: { word: 0, media: 6, link: 6 },
          hold_ends: { approved: 6, removed: 6, withdrawn: 0 },
        },
        { name: '2026-Q2', holds: { word: 6, media: 0, link: 0 }, hold_ends: { approved: 0, removed: 0 } },
      ])
    })
  })
})
