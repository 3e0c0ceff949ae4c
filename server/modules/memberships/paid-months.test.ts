// A plan that opens posts since joining, for members who come back after a pause.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { give, refund } from '#server/testing/adjustments/adjustments.ts'
import {
  addedPlan,
  cancel,
  changeNext,
  charge,
  type Club,
  joined,
  openClub,
  planPost,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf, rowsOf } from '#server/testing/payments/shop.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
/** 10 January 2027, 12:00 in Asia/Tokyo. */
const START = Date.parse('2027-01-10T03:00:00Z')
const since = { back_numbers: 'since_joining' }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('months of a plan without back numbers', () => {
    let world: World
    let by: Member
    let club: Club
    let dear: OwnPlan
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = START
      by = await operator(world)
      club = await openClub(world, since)
      dear = await addedPlan(world, club.creator, { name: '高いプラン', price: 1500, ...since })
      await pass(11 / 24 / 60)
    })

    const pass = async (days: number) => {
      world.clock.now += days * DAY
      await sweepMemberships(world.deps)
      await runJobs(world)
    }
    /** A post of now, and a day after it. */
    const published = async (...planIds: string[]) => {
      const id = await planPost(world, club.creator, ...(planIds.length > 0 ? planIds : [club.plan.id]))
      await pass(1)
      return id
    }
    const access = async (...ids: string[]) => {
      const read: string[] = []
      for (const id of ids) read.push(await accessOf(world, club.fan, id))
      return read
    }
    const planFeed = async () =>
      (await call(world, club.fan, 'GET', `/posts?author=${club.creator.id}`))
        .json<{ posts: { id: string; access: { is: string } }[] }>()
        .posts.flatMap((it) => (it.access.is === 'full' ? [it.id] : []))
    /** Joins, and cancels at once: the paid month goes on to its end. */
    async function joinedForMonth(plan: OwnPlan = club.plan): Promise<string> {
      const { id } = await joined(world, club.fan, plan.id, plan.price)
      expect((await cancel(world, club.fan, id)).statusCode).toBe(200)
      return id
    }
    async function refundMonth(id: string, amount: number): Promise<void> {
      await validate(world, by)
      expect((await refund(world, by, id, { amount, left: amount })).statusCode).toBe(200)
      await runJobs(world)
    }

    test('that were paid open their posts again to a member who comes back, and those of the pause stay closed', async () => {
      const before = await published()
      await joinedForMonth()
      const paid = await published()
      expect(await access(before, paid)).toEqual(['plan', 'full'])
      await pass(40)
      const paused = await published()
      expect(await access(before, paid, paused)).toEqual(['plan', 'plan', 'plan'])
      await joined(world, club.fan, club.plan.id)
      const again = await published()
      expect(await access(before, paid, paused, again)).toEqual(['plan', 'full', 'plan', 'full'])
      expect((await planFeed()).toSorted()).toEqual([paid, again].toSorted())
      // Of two pauses both paid times count.
      await pass(40)
      const late = await published()
      await joined(world, club.fan, club.plan.id)
      expect(await access(paid, paused, again, late)).toEqual(['full', 'plan', 'full', 'plan'])
    })

    test('that were refunded do not count', async () => {
      const id = await joinedForMonth()
      const paid = await published()
      await refundMonth(id, 500)
      await pass(40)
      await joined(world, club.fan, club.plan.id)
      expect(await access(paid)).toEqual(['plan'])
    })

    test('that were given count, to the day on which the gift ended', async () => {
      await validate(world, by)
      const ends_on = dayAfter(dayOf(world.clock.now), 3)
      const asked = { id: newId(), plan_id: club.plan.id, member: club.fan.id, ends_on }
      expect((await give(world, by, asked)).statusCode).toBe(200)
      const given = await published()
      await pass(10)
      const paused = await published()
      await joined(world, club.fan, club.plan.id)
      expect(await access(given, paused)).toEqual(['full', 'plan'])
    })

    test('of a dearer plan count for the cheaper ones that they opened, and stay when prices change', async () => {
      await joinedForMonth(dear)
      const [cheapPost, dearPost] = [await published(), await published(dear.id)]
      expect(await access(cheapPost, dearPost)).toEqual(['full', 'full'])
      await pass(40)
      await joined(world, club.fan, club.plan.id)
      expect(await access(cheapPost, dearPost)).toEqual(['full', 'plan'])
      await rowsOf(world, 'update plans set price = 9000, opens_cheaper = false where creator_id = $1', [
        club.creator.id,
      ])
      expect(await access(cheapPost, dearPost)).toEqual(['full', 'plan'])
    })

    test('of a cheaper plan do not count for a dearer one that is joined later', async () => {
      await joinedForMonth()
      const [cheapPost, dearPost] = [await published(), await published(dear.id)]
      await pass(40)
      await joined(world, club.fan, dear.id, dear.price)
      expect(await access(cheapPost, dearPost)).toEqual(['full', 'plan'])
    })

    test('count for the plan that each of them paid, after a change to another plan and back', async () => {
      const it = await joined(world, club.fan, dear.id, dear.price)
      const first = await published(dear.id)
      const next = (planId: string, price: number) =>
        changeNext(world, club.fan, it.id, { plan_id: planId, price })
      expect((await next(club.plan.id, 500)).statusCode).toBe(200)
      world.clock.now = Date.parse('2027-02-10T03:00:00Z')
      await charge(world, it, { am: '500', ta: '500' })
      const second = await published(dear.id)
      expect(await access(first, second)).toEqual(['plan', 'plan'])
      expect((await next(dear.id, dear.price)).statusCode).toBe(200)
      world.clock.now = Date.parse('2027-03-10T03:00:00Z')
      await charge(world, it, { am: String(dear.price), ta: String(dear.price) })
      expect(await access(first, second, await published(dear.id))).toEqual(['full', 'plan', 'full'])
    })
  })
})
