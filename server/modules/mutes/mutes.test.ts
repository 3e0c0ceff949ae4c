// Mutes: a list for the member who mutes, and no change for the muted person.
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

    test('muted people are listed, the latest first, until they are unmuted', async () => {
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

    test('a profile shows a mute to the member who muted, and no change to the muted person', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      const relationOf = async (by: Member, of: Member) =>
        (await call(world, by, 'GET', `/users/${of.id}`)).json().relation
      const before = await relationOf(other, me)
      await mute(me, other.id)
      expect((await relationOf(me, other)).muted).toBe(true)
      expect(await relationOf(other, me)).toEqual(before)
      expect((await call(world, other, 'PUT', `/follows/${me.id}`)).statusCode).toBe(200)
    })

    test('a member cannot mute themselves, an unknown person, or a person who blocked them', async () => {
      const [me, other] = [await signUp(world), await signUp(world)]
      expect(errorOf(await mute(me, me.id)).code).toBe('conflict')
      expect(errorOf(await mute(me, newId())).code).toBe('not_found')
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      expect(errorOf(await mute(me, other.id)).code).toBe('not_found')
    })
  })
})
