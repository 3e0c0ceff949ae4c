// The members of all plans of a creator: order, search and pages.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { searchMembers } from '#contract/plans/members.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('members of all plans', () => {
    let world: World
    let creator: Member
    let planIds: [string, string]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      creator = await signUp(world)
      planIds = [newId(), newId()]
      for (const [i, id] of planIds.entries())
        await addPlan(world.deps.db, {
          id,
          creatorId: creator.id,
          name: `プラン${i + 1}`,
          price: 500,
          createdAt: new Date(world.clock.now),
        })
    })

    async function fan(name: string, planId = planIds[0], at = world.clock.now++): Promise<Member> {
      const member = await signUp(world)
      await world.database.executeSql('update users set name = $2 where id = $1', [member.id, name])
      await world.database.executeSql('update person_search set name = lower($2) where user_id = $1', [
        member.id,
        name,
      ])
      await joinPlan(world.deps.db, planId, member.id, at)
      return member
    }
    const list = async (query = '', by: Member | null = creator) =>
      (await call(world, by, 'GET', `/members${query}`)).json<ReplyOf<typeof searchMembers>>()
    const names = async (query = '') => (await list(query)).members.map((it) => it.person.name)

    test('are listed newest first, with their plan and since when', async () => {
      await fan('海野しお')
      await fan('朝日のぼる', planIds[1])
      const { members, next } = await list()
      expect(members.map((it) => [it.person.name, it.plan.name])).toEqual([
        ['朝日のぼる', 'プラン2'],
        ['海野しお', 'プラン1'],
      ])
      expect(members[1]?.joined_at).toBe(new Date(world.clock.now - 2).toISOString())
      expect(next).toBeNull()
      expect(await names(`?plan=${planIds[1]}`)).toEqual(['朝日のぼる'])
    })

    test('are found by a part of the name, in any case, or of the handle, with or without @', async () => {
      const it = await fan('Umino')
      await fan('朝日のぼる')
      await world.database.executeSql('update users set handle = $2 where id = $1', [
        it.id,
        `shio${it.id.slice(-6)}`,
      ])
      expect(await names('?q=MIN')).toEqual(['Umino'])
      expect(await names(`?q=${encodeURIComponent('＠shio')}`)).toEqual(['Umino'])
      expect(await names('?q=%25')).toEqual([])
    })

    test('leave out people who have left the plan, are leaving the service, or are blocked', async () => {
      const [gone, leaving, blocked] = [await fan('一'), await fan('二'), await fan('三')]
      await fan('四')
      await endMembership(world.deps.db, planIds[0], gone.id, world.clock.now)
      await leave(world, leaving)
      await call(world, creator, 'PUT', `/blocks/${blocked.id}`)
      expect(await names()).toEqual(['四'])
    })

    test('come in pages, without one twice', async () => {
      const ids: string[] = []
      for (let i = 0; i < 35; i++) ids.unshift((await fan(`会員${i}`, planIds[i % 2])).id)
      const one = await list()
      expect(one.members).toHaveLength(30)
      const two = await list(`?cursor=${one.next}`)
      expect([...one.members, ...two.members].map((it) => it.person.id)).toEqual(ids)
      expect(two.next).toBeNull()
    })

    test('are listed for their own creator alone', async () => {
      await fan('海野しお')
      expect((await list('', await signUp(world))).members).toEqual([])
      expect(errorOf(await call(world, null, 'GET', '/members')).code).toBe('unauthenticated')
    })
  })
})
