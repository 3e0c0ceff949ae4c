// The creators of automatic payouts, page by page.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeAccount } from '#server/testing/payouts/payouts.ts'
import { identify, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { listForAutomatic } from './payouts.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('pages of creators have each of them once, by their ids', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const creator = await identify(world, await signUp(world))
    await storeAccount(world, creator)
    ids.push(creator.id)
  }
  const page = (after: string) => listForAutomatic(world.deps.db, '2026-11', after, 2)
  const [first = '', second = '', third] = ids.toSorted()
  expect(await page('')).toEqual([first, second])
  expect(await page(second)).toEqual([third])
})
