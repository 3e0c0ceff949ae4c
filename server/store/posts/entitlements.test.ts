// Entitlements of a member: memberships until they end, purchases until a refund, blocks.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addBlock, removeBlock } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { entitlementColumns, type EntitlementsRow, joinedPlans } from './entitlements.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { type Look, lookOf, lookTypes } from './post-facts.ts'
import { addPostOnce, addPurchase, attachPlans, revokePurchase } from './posts.ts'

const HOUR = 3600_000

interface Row extends EntitlementsRow {
  readonly joined: readonly string[]
}

const ofPost = statement<Look & { readonly post: string }, Row>(
  { ...lookTypes, post: 'uuid' },
  (
    param,
  ) => sql`select ${joinedPlans(param('viewer'), param('now'))} as joined, ${entitlementColumns(param('viewer'))}
    from posts p where p.id = ${param('post')}`,
)

describe.each(databases)('on $kind', ({ kind, available }) => {
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

    const has = async (as: Member | undefined, at = world.clock.now) =>
      (await ofPost(db, { ...lookOf(as?.id, at), post: post.id }))[0]

    const release = (at: number, id = post.id) =>
      world.database.executeSql('update posts set released_at = $2 where id = $1', [id, new Date(at)])

    const addPost = async () => {
      const added = { id: newId(), authorId: author.id }
      const row = { type: 3, content: '', isAgeLimited: false, price: 500, idempotencyKey: null } as const
      await addPostOnce(db, { ...added, ...row }, world.clock.now)
      return added
    }

    const addPlanOf = async (creator: Member) => {
      const id = newId()
      const createdAt = new Date(world.clock.now)
      await addPlan(db, { id, creatorId: creator.id, name: '応援', price: 300, createdAt })
      return id
    }

    const begin = async () => {
      fan = await signUp(world)
      post = await addPost()
      planId = await addPlanOf(author)
      await attachPlans(db, post.id, [planId])
      await release(0)
    }

    const nothing = { joined: [], bought: false, shows: null, blocked: false }

    test('a new member and a visitor have no entitlements', async () => {
      await begin()
      expect([await has(fan), await has(undefined)]).toEqual([nothing, nothing])
    })

    test('a membership that began after the release opens the post only if the plan has back numbers', async () => {
      await begin()
      const { now } = world.clock
      const opens = async (releasedAt: number) => {
        await release(releasedAt)
        return (await has(fan, now + HOUR))?.joined.includes(planId)
      }
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
      const plansAt = async (at: number) => (await has(fan, at))?.joined
      expect(await plansAt(now + HOUR - 1)).toEqual([planId])
      expect(await plansAt(now + HOUR)).toEqual([])
      expect(await joinPlan(db, planId, fan.id, now + HOUR - 1)).toBe(false)
      expect(await joinPlan(db, planId, fan.id, now + HOUR)).toBe(true)
      expect(await plansAt(now + 9 * HOUR)).toEqual([planId])
    })

    test('a membership of a plan that does not open the post is no entitlement to it', async () => {
      await begin()
      const other = await addPlanOf(author)
      await attachPlans(db, (await addPost()).id, [other])
      await joinPlan(db, other, fan.id, world.clock.now)
      expect(await has(fan)).toEqual(nothing)
      await attachPlans(db, post.id, [other])
      expect((await has(fan))?.joined).toEqual([other])
      expect(await has(await signUp(world))).toEqual(nothing)
    })

    test('a purchase opens its post until a refund, and again after another purchase', async () => {
      await begin()
      const { now } = world.clock
      const bought = async () => (await has(fan))?.bought
      expect(await addPurchase(db, post.id, fan.id, 500, now)).toBe(true)
      expect(await addPurchase(db, post.id, fan.id, 500, now)).toBe(false)
      expect(await bought()).toBe(true)
      await revokePurchase(db, post.id, fan.id, now)
      expect(await bought()).toBe(false)
      expect(await addPurchase(db, post.id, fan.id, 700, now)).toBe(true)
      expect(await bought()).toBe(true)
    })

    test('a purchase of another post, or by another member, is no entitlement to the post', async () => {
      await begin()
      const another = await addPost()
      await addPurchase(db, another.id, fan.id, 500, world.clock.now)
      await addPurchase(db, post.id, (await signUp(world)).id, 500, world.clock.now)
      expect(await has(fan)).toEqual(nothing)
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
      expect(await has(author)).toEqual(nothing)
    })

    test('a block in either direction blocks both until it is removed, and no other member', async () => {
      await begin()
      const other = await signUp(world)
      for (const [by, of] of [
        [author, fan],
        [fan, author],
      ] as const) {
        await addBlock(db, by.id, of.id, world.clock.now)
        await addBlock(db, fan.id, other.id, world.clock.now)
        expect([(await has(fan))?.blocked, (await has(other))?.blocked]).toEqual([true, false])
        await removeBlock(db, by.id, of.id)
        expect((await has(fan))?.blocked).toBe(false)
      }
    })

    test('what opens a plan to a person is read by an index of each source, at each plan of a post', async () => {
      await begin()
      const plan = await db.transaction(async (tx) => {
        await tx.execute(sql`set local enable_seqscan = off`)
        const [viewer, now] = [sql`${fan.id}::uuid`, sql`now()`]
        const { rows } = (await tx.execute(
          sql`explain select ${joinedPlans(viewer, now)} from posts p where p.id = ${post.id}::uuid`,
        )) as { rows: Record<string, string>[] }
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      for (const table of ['plan_members', 'complimentary_grants', 'payments']) {
        expect(plan).toMatch(
          new RegExp(`Index Scan using ${table}_\\w+ on ${table}|Bitmap Heap Scan on ${table}`),
        )
        expect(plan).not.toContain(`Seq Scan on ${table}`)
      }
    })
  })
})
