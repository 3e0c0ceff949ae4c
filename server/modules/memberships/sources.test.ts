// A plan that several sources open: what is open until when.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { defined } from '#contract/testing/defined.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { give, refund } from '#server/testing/adjustments/adjustments.ts'
import {
  addedPlan,
  changeNext,
  charge,
  type Club,
  joined,
  joinedPlansOf,
  openClub,
  planPost,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { accessOf, rowsOf } from '#server/testing/payments/shop.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
/** 10 December 2026, 12:00 in Asia/Tokyo. */
const START = Date.parse('2026-12-10T03:00:00Z')

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a plan that several sources open', () => {
    let world: World
    let by: Member
    let club: Club
    let dear: OwnPlan
    let cheapPost: string
    let dearPost: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = START
      by = await operator(world)
      club = await openClub(world)
      dear = await addedPlan(world, club.creator, { name: '高いプラン', price: 1500 })
      cheapPost = await planPost(world, club.creator, club.plan.id)
      dearPost = await planPost(world, club.creator, dear.id)
      world.clock.now += 11 * 60_000
      await runJobs(world)
    })

    const access = async () => [
      await accessOf(world, club.fan, cheapPost),
      await accessOf(world, club.fan, dearPost),
    ]
    async function gift(planId: string, days: number): Promise<string> {
      const id = newId()
      await validate(world, by)
      const asked = {
        id,
        plan_id: planId,
        member: club.fan.id,
        ends_on: dayAfter(dayOf(world.clock.now), days),
      }
      expect((await give(world, by, asked)).statusCode).toBe(200)
      return id
    }
    async function endGift(id: string): Promise<void> {
      await validate(world, by)
      expect((await call(world, by, 'POST', `/admin/complimentary/${id}/end`, {})).statusCode).toBe(200)
    }
    async function refundMonth(id: string, amount: number): Promise<void> {
      await validate(world, by)
      expect((await refund(world, by, id, { amount, left: amount })).statusCode).toBe(200)
    }
    const memberCounts = async () => {
      const { plans } = (await call(world, club.creator, 'GET', '/plans/own')).json<{ plans: OwnPlan[] }>()
      return plans.map((it) => it.member_count)
    }

    test('who pays for the dearer plan reads the cheaper one after a gift of it has ended', async () => {
      await gift(club.plan.id, 0)
      const paid = await joined(world, club.fan, dear.id, 1500)
      expect(await access()).toEqual(['full', 'full'])
      world.clock.now += DAY
      expect(await access()).toEqual(['full', 'full'])
      world.clock.now += 31 * DAY
      await charge(world, paid)
      expect(await access()).toEqual(['full', 'full'])
      await refundMonth(paid.id, 1500)
    })

    test('a refund of the cheaper plan leaves a gift of the dearer one whole', async () => {
      await gift(dear.id, 40)
      const paid = await joined(world, club.fan, club.plan.id)
      await refundMonth(paid.id, 500)
      expect(await access()).toEqual(['full', 'full'])
      world.clock.now += 41 * DAY
      expect(await access()).toEqual(['plan', 'plan'])
    })

    test('a gift of the dearer plan opens the cheaper one after a gift of that has ended', async () => {
      await gift(club.plan.id, 0)
      const longer = await gift(dear.id, 30)
      world.clock.now += 2 * DAY
      expect(await access()).toEqual(['full', 'full'])
      await endGift(longer)
      expect(await access()).toEqual(['plan', 'plan'])
    })

    test('an end of a gift closes what no other source opens, and nothing else', async () => {
      const id = await gift(dear.id, 30)
      await joined(world, club.fan, club.plan.id)
      await endGift(id)
      expect(await access()).toEqual(['full', 'plan'])
    })

    test('a member who is given and pays for one plan is one member, and pays from its own row', async () => {
      await gift(club.plan.id, 60)
      const paid = await joined(world, club.fan, dear.id, 1500)
      expect(await memberCounts()).toEqual([1, 1])
      await changeNext(world, club.fan, paid.id, { plan_id: club.plan.id, price: 500 })
      world.clock.now += 31 * DAY
      await charge(world, paid, { am: '500', ta: '500' })
      expect([await access(), await memberCounts()]).toEqual([
        ['full', 'plan'],
        [1, 0],
      ])
      const { plans } = await joinedPlansOf(world, club.fan)
      expect(plans.map((it) => [it.id, it.membership?.id])).toEqual([[club.plan.id, paid.id]])
      const listed = (await call(world, club.creator, 'GET', `/plans/${club.plan.id}/members`)).json()
      expect(listed.members).toHaveLength(1)
    })

    test('offline copies last as long as the source that opens the post longest', async () => {
      const until = async () =>
        (await call(world, club.fan, 'GET', `/posts/${cheapPost}`)).json<{ access: { until?: string } }>()
          .access.until
      await joined(world, club.fan, club.plan.id)
      const alone = await until()
      const id = await gift(dear.id, 100)
      expect(Date.parse(defined(await until()))).toBeGreaterThan(Date.parse(defined(alone)))
      await endGift(id)
      expect(await until()).toBe(alone)
    })

    test('who was given a plan and reads its back numbers keeps them, and a later source has its own', async () => {
      const { creator, fan } = club
      const late = await addedPlan(world, creator, {
        name: '加入後だけ',
        price: 300,
        back_numbers: 'since_joining',
      })
      world.clock.now += 11 * 60_000
      await gift(late.id, 40)
      world.clock.now += DAY
      const post = await planPost(world, creator, late.id)
      world.clock.now += DAY
      const paid = await joined(world, fan, dear.id, 1500)
      expect(await accessOf(world, fan, post)).toBe('full')
      await refundMonth(paid.id, 1500)
      expect(await accessOf(world, fan, post)).toBe('full')
    })

    test('a plan that is open already is not given again', async () => {
      await gift(dear.id, 40)
      const again = await give(world, by, {
        id: newId(),
        plan_id: club.plan.id,
        member: club.fan.id,
        ends_on: dayAfter(dayOf(world.clock.now), 3),
      })
      expect(errorOf(again).code).toBe('conflict')
    })

    /** A gift as the version before stored it: one row of each plan that was not open yet. */
    async function earlierGift(
      plans: readonly { id: string; isIncluded: boolean }[],
      endsAt: number,
    ): Promise<string> {
      const id = newId()
      const { creator, fan } = club
      const given = plans.find((it) => !it.isIncluded)
      await rowsOf(
        world,
        `insert into complimentary_memberships (id, user_id, creator_id, plan_id, paid, reason, actor_id, created_at, ends_at)
         values ($1, $2, $3, $4, 0, '', null, $5, $6)`,
        [id, fan.id, creator.id, given?.id, new Date(world.clock.now), new Date(endsAt)],
      )
      for (const it of plans)
        await rowsOf(
          world,
          `insert into plan_members (plan_id, user_id, joined_at, ends_at, complimentary_id, is_included)
           values ($1, $2, $3, $4, $5, $6) on conflict (plan_id, user_id) do update set ends_at = excluded.ends_at,
             complimentary_id = excluded.complimentary_id, membership_id = null, is_included = excluded.is_included`,
          [it.id, fan.id, new Date(world.clock.now), new Date(endsAt), id, it.isIncluded],
        )
      return id
    }

    test('a gift of the version before is open, survives a refund, and ends when that version ends it', async () => {
      const plans = [
        { id: dear.id, isIncluded: false },
        { id: club.plan.id, isIncluded: true },
      ]
      const id = await earlierGift(plans, world.clock.now + 40 * DAY)
      expect([await access(), await memberCounts()]).toEqual([
        ['full', 'full'],
        [0, 1],
      ])
      const paid = await joined(world, club.fan, club.plan.id)
      expect(await memberCounts()).toEqual([1, 1])
      await refundMonth(paid.id, 500)
      expect([await access(), await memberCounts()]).toEqual([
        ['full', 'full'],
        [0, 1],
      ])
      expect((await joinedPlansOf(world, club.fan)).plans.map((it) => it.id)).toEqual([dear.id])
      const now = [new Date(world.clock.now), id]
      await rowsOf(world, 'update complimentary_memberships set ends_at = $1 where id = $2', now)
      await rowsOf(world, 'update plan_members set ends_at = $1 where complimentary_id = $2', now)
      expect(await access()).toEqual(['plan', 'plan'])
    })

    test('the hourly sweep opens again what the version before closed to who pays, and to who was given', async () => {
      const paid = await joined(world, club.fan, dear.id, 1500)
      await earlierGift([{ id: club.plan.id, isIncluded: false }], world.clock.now)
      expect(await access()).toEqual(['plan', 'full'])
      await sweepMemberships(world.deps)
      expect(await access()).toEqual(['full', 'full'])
      await refundMonth(paid.id, 1500)
      expect(await access()).toEqual(['plan', 'plan'])
      // It had no row for a plan that was open when it gave a dearer one.
      await earlierGift([{ id: dear.id, isIncluded: false }], world.clock.now + DAY)
      expect(await access()).toEqual(['plan', 'full'])
      await sweepMemberships(world.deps)
      await sweepMemberships(world.deps)
      expect([await access(), await memberCounts()]).toEqual([
        ['full', 'full'],
        [0, 1],
      ])
    })

    test('a plan that becomes cheaper than what is paid replaces no gift of it by the version before', async () => {
      await earlierGift([{ id: dear.id, isIncluded: false }], world.clock.now + 40 * DAY)
      const paid = await joined(world, club.fan, club.plan.id)
      await rowsOf(world, 'delete from complimentary_grants where user_id = $1', [club.fan.id])
      await call(world, club.creator, 'PATCH', `/plans/${dear.id}`, { price: 400 })
      world.clock.now += 11 * 60_000
      await runJobs(world)
      await refundMonth(paid.id, 500)
      expect(await accessOf(world, club.fan, dearPost)).toBe('full')
    })
  })
})
