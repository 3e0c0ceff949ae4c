// How often a person may search for banks and branches.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noLimits } from '#server/http/limits.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  const limits = { ...noLimits, suggestions: { max: 2, timeWindow: 60_000 } }
  world = await openWorld({ settings: { limits } })
})
afterAll(() => world.close())

test.each(['/banks?q=', '/banks/9900/branches?q='])(
  'the third search of a minute under %s is refused, of another person it is not',
  async (path) => {
    const [one, other] = [await signUp(world), await signUp(world)]
    const search = (as: Member) => call(world, as, 'GET', path)
    for (let n = 0; n < 2; n += 1) expect((await search(one)).statusCode).toBe(200)
    expect(errorOf(await search(one)).code).toBe('rate_limited')
    expect((await search(other)).statusCode).toBe(200)
  },
)
