// Entitlements of a member: memberships until they end, purchases until a refund, blocks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { bothDatabases, openWorld, type World } from '#server/testing/world.ts'
import { addBlock, removeBlock } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { entitlementsOf } from './entitlements.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { addPostOnce, addPurchase, revokePurchase } from './posts.ts'

const HOUR = 3600_000

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('entitlements of a member', () => {
    let world: World
    let db: Db
    let author: Member
    let fan: Member
    let post: { id: string; authorId: string }
    let planId: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      db = world.deps.db
      author = await signUp(world)
    })
    afterAll(() => world.close())

    const has = (as: Member | undefined, at = world.clock.now, releasedAt = new Date(0)) =>
      entitlementsOf(db, as?.id, { ...post, releasedAt }, at)

    const begin = async () => {
      fan = await signUp(world)
      const now = world.clock.now
      post = { id: newId(), authorId: author.id }
      const row = { type: 3, content: '', isAgeLimited: false, price: 500, idempotencyKey: null } as const
      await addPostOnce(db, { ...post, ...row }, now)
      planId = newId()
      await addPlan(db, {
        id: planId,
        creatorId: author.id,
        name: '応援',
        price: 300,
        createdAt: new Date(now),
      })
    }

    test('a new member and a visitor have no entitlements', async () => {
      await begin()
      const nothing = {
        joinedPlans: new Set(),
        boughtPosts: new Set(),
        showsAgeLimited: false,
        blockedIds: new Set(),
      }
      expect([await has(fan), await has(undefined)]).toEqual([nothing, nothing])
    })

    test('a membership that began after the release opens the post only if the plan has back numbers', async () => {
      await begin()
      const { now } = world.clock
      const opens = async (releasedAt: number) =>
        (await has(fan, now + HOUR, new Date(releasedAt))).joinedPlans.has(planId)
      await world.database.executeSql(`update plans set back_numbers = 'since_joining' where id = $1`, [
        planId,
      ])
      await joinPlan(db, planId, fan.id, now)
      expect([await opens(now - 1), await opens(now), await opens(now + 1)]).toEqual([false, true, true])
      await endMembership(db, planId, fan.id, now)
      await world.database.executeSql(`update plans set back_numbers = 'all' where id = $1`, [planId])
      await joinPlan(db, planId, fan.id, now)
      expect([await opens(0), await opens(now)]).toEqual([true, true])
    })

    test('a membership opens its plan until it ends, and again after the member joins again', async () => {
      await begin()
      const { now } = world.clock
      expect(await joinPlan(db, planId, fan.id, now)).toBe(true)
      expect(await joinPlan(db, planId, fan.id, now)).toBe(false)
      await endMembership(db, planId, fan.id, now + HOUR)
      const plansAt = async (at: number) => [...(await has(fan, at)).joinedPlans]
      expect(await plansAt(now + HOUR - 1)).toEqual([planId])
      expect(await plansAt(now + HOUR)).toEqual([])
      expect(await joinPlan(db, planId, fan.id, now + HOUR - 1)).toBe(false)
      expect(await joinPlan(db, planId, fan.id, now + HOUR)).toBe(true)
      expect(await plansAt(now + 9 * HOUR)).toEqual([planId])
    })

    test('a purchase opens its post until a refund, and again after another purchase', async () => {
      await begin()
      const { now } = world.clock
      const bought = async () => [...(await has(fan)).boughtPosts]
      expect(await addPurchase(db, post.id, fan.id, 500, now)).toBe(true)
      expect(await addPurchase(db, post.id, fan.id, 500, now)).toBe(false)
      expect(await bought()).toEqual([post.id])
      await revokePurchase(db, post.id, fan.id, now)
      expect(await bought()).toEqual([])
      expect(await addPurchase(db, post.id, fan.id, 700, now)).toBe(true)
      expect(await bought()).toEqual([post.id])
    })

    test('a member cannot join their own or an unknown plan, or buy their own or an unknown post', async () => {
      await begin()
      const { now } = world.clock
      expect([
        await joinPlan(db, planId, author.id, now),
        await joinPlan(db, newId(), fan.id, now),
        await addPurchase(db, post.id, author.id, 500, now),
        await addPurchase(db, newId(), fan.id, 500, now),
      ]).toEqual([false, false, false, false])
      expect(await has(author)).toMatchObject({ joinedPlans: new Set(), boughtPosts: new Set() })
    })

    test('a block in either direction is an entitlement of both until it is removed', async () => {
      await begin()
      for (const [by, of] of [
        [author, fan],
        [fan, author],
      ] as const) {
        await addBlock(db, by.id, of.id, world.clock.now)
        expect((await has(fan)).blockedIds).toEqual(new Set([author.id]))
        await removeBlock(db, by.id, of.id)
        expect((await has(fan)).blockedIds).toEqual(new Set())
      }
    })
  })
})
