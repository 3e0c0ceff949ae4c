// The blocklist version in session data, by which a device learns to clear its cache.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the blocklist version of a session', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const versionOf = async (member: Member): Promise<string> =>
      (await call(world, member, 'GET', '/auth/session')).json().user.apart
    const people = () => Promise.all([signUp(world), signUp(world), signUp(world)])

    test('changes for both members after a block, and is the previous one after the unblock', async () => {
      const [me, other, third] = await people()
      const versions = () => Promise.all([me, other, third].map(versionOf))
      const before = await versions()
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      const [ofMe, ofOther, ofThird] = await versions()
      expect(ofMe).not.toBe(before[0])
      expect(ofOther).not.toBe(before[1])
      expect(ofThird).toBe(before[2])
      await call(world, other, 'DELETE', `/blocks/${me.id}`)
      expect(await versions()).toEqual(before)
    })

    test('changes when one block replaces another: it is not the number of blocks', async () => {
      const [me, one, other] = await people()
      await call(world, one, 'PUT', `/blocks/${me.id}`)
      const before = await versionOf(me)
      await call(world, one, 'DELETE', `/blocks/${me.id}`)
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      expect(await versionOf(me)).not.toBe(before)
    })

    test('changes for the member who mutes, and not for the muted one', async () => {
      const [me, other] = await people()
      const before = [await versionOf(me), await versionOf(other)]
      await call(world, me, 'PUT', `/mutes/${other.id}`)
      expect(await versionOf(me)).not.toBe(before[0])
      expect(await versionOf(other)).toBe(before[1])
    })

    test('is the same in all sessions of a member, and differs between two members with the same blocker', async () => {
      const [me, other, blocker] = await people()
      for (const { id } of [me, other]) await call(world, blocker, 'PUT', `/blocks/${id}`)
      const signedIn = await call(world, null, 'POST', '/auth/sign-in', {
        email: me.email,
        password: PASSWORD,
      })
      expect(signedIn.json().user.apart).toBe(await versionOf(me))
      expect(await versionOf(other)).not.toBe(await versionOf(me))
    })
  })
})
