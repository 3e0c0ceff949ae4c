// Mutes: a list of one's own, and nothing the other one could notice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('mutes', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const mute = (by: Member, id: string) => call(world, by, 'PUT', `/mutes/${id}`)
    const muted = async (by: Member) =>
      (await call(world, by, 'GET', '/mutes')).json().people.map((it: { id: string }) => it.id)

    test('whom one has muted stands in a list, the latest first, until it is taken back', async () => {
      const [me, one, other] = [await signUp(world), await signUp(world), await signUp(world)]
      await mute(me, one.id)
      world.clock.now += 1000
      await mute(me, other.id)
      expect((await mute(me, other.id)).json()).toEqual({ data: { user_id: other.id, muted: true } })
      expect(await muted(me)).toEqual([other.id, one.id])
      const undone = await call(world, me, 'DELETE', `/mutes/${one.id}`)
      expect(undone.json()).toEqual({ data: { user_id: one.id, muted: false } })
      expect(await muted(me)).toEqual([other.id])
    })

    test('the muter is told of it on the profile, the muted one sees no difference', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      const between = async (by: Member, of: Member) =>
        (await call(world, by, 'GET', `/users/${of.id}`)).json().relation
      const before = await between(other, me)
      await mute(me, other.id)
      expect((await between(me, other)).muted).toBe(true)
      expect(await between(other, me)).toEqual(before)
      expect((await call(world, other, 'PUT', `/follows/${me.id}`)).statusCode).toBe(200)
    })

    test('nobody mutes themselves, somebody who is not there, or somebody apart', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      expect(errorOf(await mute(me, me.id)).code).toBe('conflict')
      expect(errorOf(await mute(me, newId())).code).toBe('not_found')
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      expect(errorOf(await mute(me, other.id)).code).toBe('not_found')
    })
  })
})
