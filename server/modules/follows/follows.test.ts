// Follows: counts, lists by page, and the effect of blocks and of leaving.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('follows', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const follow = (by: Member, of: Member) => call(world, by, 'PUT', `/follows/${of.id}`)
    const profile = async (of: Member, by: Member | null) =>
      (await call(world, by, 'GET', `/users/${of.id}`)).json()
    const listed = async (of: Member, list: string, by: Member, cursor = '') =>
      (await call(world, by, 'GET', `/users/${of.id}/follows/${list}${cursor}`)).json()
    const idsOf = (page: { people: { id: string }[] }) => page.people.map((it) => it.id)

    test('a follow counts once however often it is requested, and unfollowing removes it', async () => {
      const [fan, idol] = [await signUp(world), await signUp(world)]
      expect((await follow(fan, idol)).json()).toEqual({
        data: { user_id: idol.id, following: true, follower_count: 1, version: 1 },
      })
      expect((await follow(fan, idol)).json().data.follower_count).toBe(1)
      expect(await profile(idol, fan)).toMatchObject({
        follower_count: 1,
        following_count: 0,
        relation: { following: true, followed_by: false, muted: false, blocked: false },
      })
      expect(await profile(fan, idol)).toMatchObject({
        following_count: 1,
        relation: { following: false, followed_by: true },
      })
      const undone = await call(world, fan, 'DELETE', `/follows/${idol.id}`)
      expect(undone.json()).toEqual({
        data: { user_id: idol.id, following: false, follower_count: 0, version: 2 },
      })
      expect(await profile(idol, fan)).toMatchObject({
        follower_count: 0,
        count_version: 2,
        relation: { following: false },
      })
    })

    test('a person has no relation to themselves and cannot follow themselves', async () => {
      const member = await signUp(world)
      expect((await profile(member, member)).relation).toBeNull()
      expect(errorOf(await follow(member, member)).code).toBe('conflict')
    })

    test('both lists have the latest person first, each once, with their relation to the viewer', async () => {
      const [idol, reader] = [await signUp(world), await signUp(world)]
      const fans: string[] = []
      for (let n = 0; n < 33; n++) {
        const fan = await signUp(world)
        world.clock.now += 1000
        await follow(fan, idol)
        fans.unshift(fan.id)
        if (n === 0) await follow(reader, fan)
      }
      const first = await listed(idol, 'followers', reader)
      const second = await listed(idol, 'followers', reader, `?cursor=${first.next}`)
      expect([first.people.length, second.people.length, second.next]).toEqual([30, 3, null])
      expect([...idsOf(first), ...idsOf(second)]).toEqual(fans)
      expect(second.people.at(-1).relation).toMatchObject({ following: true })
      expect(first.people[0].relation).toMatchObject({ following: false })
      expect((await listed(reader, 'following', idol)).people).toMatchObject([{ id: fans.at(-1) }])
    })

    test('a block ends follows in both directions and prevents new ones until it is removed', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      await follow(one, other)
      await follow(other, one)
      await call(world, one, 'PUT', `/blocks/${other.id}`)
      await call(world, one, 'DELETE', `/blocks/${other.id}`)
      expect(await profile(one, other)).toMatchObject({ follower_count: 0, following_count: 0 })
      await call(world, one, 'PUT', `/blocks/${other.id}`)
      for (const refused of [await follow(one, other), await follow(other, one)])
        expect(errorOf(refused).code).toBe('not_found')
      expect(errorOf(await follow(one, { ...other, id: newId() })).code).toBe('not_found')
      await call(world, one, 'DELETE', `/blocks/${other.id}`)
      expect((await follow(other, one)).json().data).toMatchObject({ following: true, follower_count: 1 })
    })

    test('simultaneous follows and blocks leave no follow between blocked people', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      for (let round = 0; round < 5; round++) {
        const requests = [1, 2, 3].flatMap(() => [follow(one, other), follow(other, one)])
        await Promise.all([...requests, call(world, one, 'PUT', `/blocks/${other.id}`), ...requests])
        const remaining = await world.database.executeSql(
          'select * from follows where follower_id in ($1, $2) and followed_id in ($1, $2)',
          [one.id, other.id],
        )
        expect(remaining.rows).toEqual([])
        await call(world, one, 'DELETE', `/blocks/${other.id}`)
      }
    })

    test('a member who is leaving is in no list and cannot be followed', async () => {
      const [fan, idol, third] = [await signUp(world), await signUp(world), await signUp(world)]
      await follow(fan, idol)
      await leave(world, fan)
      expect((await listed(idol, 'followers', third)).people).toEqual([])
      expect(errorOf(await follow(third, fan)).code).toBe('not_found')
    })

    test('lists of a person who blocked the viewer are not_found, and a malformed cursor is refused', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const malformed = await call(world, one, 'GET', `/users/${other.id}/follows/followers?cursor=abc`)
      expect(errorOf(malformed)).toEqual({ code: 'invalid', fields: { cursor: 'malformed' } })
      await call(world, other, 'PUT', `/blocks/${one.id}`)
      const refused = await call(world, one, 'GET', `/users/${other.id}/follows/followers`)
      expect(errorOf(refused).code).toBe('not_found')
    })
  })
})
