// The blocklist version of a session: a device that was offline learns by it to clear its cache.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the mark of a session', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const markOf = async (it: Member): Promise<string> =>
      (await call(world, it, 'GET', '/auth/session')).json().user.apart
    const people = () => Promise.all([signUp(world), signUp(world), signUp(world)])

    test('is another one for both after a block, and the one from before when it is taken back', async () => {
      const [me, other, third] = await people()
      const marks = () => Promise.all([me, other, third].map(markOf))
      const before = await marks()
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      const [mine, theirs, untouched] = await marks()
      expect(mine).not.toBe(before[0])
      expect(theirs).not.toBe(before[1])
      expect(untouched).toBe(before[2])
      await call(world, other, 'DELETE', `/blocks/${me.id}`)
      expect(await marks()).toEqual(before)
    })

    test('is another one when one block ends and another begins: it is not how many there are', async () => {
      const [me, one, other] = await people()
      await call(world, one, 'PUT', `/blocks/${me.id}`)
      const before = await markOf(me)
      await call(world, one, 'DELETE', `/blocks/${me.id}`)
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      expect(await markOf(me)).not.toBe(before)
    })

    test('is another one for who mutes, and the same for who is muted', async () => {
      const [me, other] = await people()
      const before = [await markOf(me), await markOf(other)]
      await call(world, me, 'PUT', `/mutes/${other.id}`)
      expect(await markOf(me)).not.toBe(before[0])
      expect(await markOf(other)).toBe(before[1])
    })

    test('is the same in whatever session, and tells two whom the same person has blocked nothing of each other', async () => {
      const [me, other, blocker] = await people()
      for (const it of [me, other]) await call(world, blocker, 'PUT', `/blocks/${it.id}`)
      const again = await call(world, null, 'POST', '/auth/sign-in', { email: me.email, password: PASSWORD })
      expect(again.json().user.apart).toBe(await markOf(me))
      expect(await markOf(other)).not.toBe(await markOf(me))
    })
  })
})
