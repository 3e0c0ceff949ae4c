// Other plans and prices of a membership from its next charge on.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import {
  addedPlan,
  beginJoining,
  cancel,
  changeNext,
  charge,
  type Club,
  joined,
  joinedPlansOf,
  membershipOf,
  openClub,
  planPost,
  report,
  revokeChange,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf, outcomesOf, rowsOf } from '#server/testing/payments/shop.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { call, errorOf, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

/** 10 December 2026, 12:00 in Asia/Tokyo, and the start of 10 January. */
const START = Date.parse('2026-12-10T03:00:00Z')
const JANUARY = Date.parse('2027-01-09T15:00:00Z')

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a change of a membership', () => {
    let world: World
    let club: Club
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = START
      club = await openClub(world)
    })

    const codeOf = async (reply: Promise<Reply>) => errorOf(await reply).code
    const chargedAmount = async (id: string) =>
      (
        await rowsOf<{ charged_amount: number }>(
          world,
          'select charged_amount from memberships where id = $1',
          [id],
        )
      )[0]?.charged_amount
    const dear = (more: object = {}) =>
      addedPlan(world, club.creator, { name: '朝の部屋', price: 900, ...more })

    test('a dearer plan is charged from the next month on, opens from then, and keeps the cheaper one open', async () => {
      const { fan, creator, plan } = club
      const other = await dear()
      const [cheapPost, dearPost] = [
        await planPost(world, creator, plan.id),
        await planPost(world, creator, other.id),
      ]
      const it = await joined(world, fan, plan.id)
      const reply = (await changeNext(world, fan, it.id, { plan_id: other.id, price: 900 })).json()
      expect(reply.next).toEqual({ id: other.id, name: '朝の部屋', price: 900 })
      await changeNext(world, fan, it.id, { plan_id: other.id, price: 900 })
      await runJobs(world)
      expect(await chargedAmount(it.id)).toBe(900)
      expect([await accessOf(world, fan, cheapPost), await accessOf(world, fan, dearPost)]).toEqual([
        'full',
        'plan',
      ])
      world.clock.now = JANUARY + 3600_000
      await charge(world, it, { am: '900', ta: '900' })
      expect([await accessOf(world, fan, cheapPost), await accessOf(world, fan, dearPost)]).toEqual([
        'full',
        'full',
      ])
      const { plans } = await joinedPlansOf(world, fan)
      expect(plans.map((one) => [one.name, one.membership?.price, one.membership?.next])).toEqual([
        ['朝の部屋', 900, null],
      ])
      const counts = (await call(world, creator, 'GET', '/plans/own')).json().plans
      expect(counts.map((one: { member_count: number }) => one.member_count)).toEqual([0, 1])
      expect((await emailsTo(world, fan.email)).map((one) => one.is)).toEqual([
        'membership_joined',
        'membership_next',
        'membership_renewed',
      ])
    })

    test('a cheaper plan closes the posts of the dearer one with its first charge', async () => {
      const { fan, creator, plan } = club
      const other = await dear()
      const dearPost = await planPost(world, creator, other.id)
      const cheapPost = await planPost(world, creator, plan.id)
      const it = await joined(world, fan, other.id, 900)
      expect([await accessOf(world, fan, cheapPost), await accessOf(world, fan, dearPost)]).toEqual([
        'full',
        'full',
      ])
      await changeNext(world, fan, it.id, { plan_id: plan.id, price: 500 })
      world.clock.now = JANUARY + 3600_000
      // The operator has not changed the amount yet: what was paid is the plan of before.
      await charge(world, it)
      expect(await membershipOf(world, fan)).toMatchObject({ price: 900, next: { price: 500 } })
      world.clock.now += 31 * 24 * 3600_000
      await charge(world, it, { am: '500', ta: '500' })
      expect([await accessOf(world, fan, cheapPost), await accessOf(world, fan, dearPost)]).toEqual([
        'full',
        'plan',
      ])
    })

    test('a plan that does not open cheaper ones opens its own posts alone', async () => {
      const { fan, creator, plan } = club
      const other = await dear({ opens_cheaper: false })
      const cheapPost = await planPost(world, creator, plan.id)
      await joined(world, fan, other.id, 900)
      expect(await accessOf(world, fan, cheapPost)).toBe('plan')
    })

    test('a cheaper plan that is added later is open too after ten minutes, and stays so', async () => {
      const { fan, creator, plan } = club
      await joined(world, fan, plan.id)
      const small = await addedPlan(world, creator, { name: '小さな部屋', price: 300 })
      const postId = await planPost(world, creator, small.id)
      expect(await accessOf(world, fan, postId)).toBe('plan')
      world.clock.now += 10 * 60_000
      await runJobs(world)
      expect(await accessOf(world, fan, postId)).toBe('full')
      await call(world, creator, 'PATCH', `/plans/${small.id}`, { price: 2000 })
      expect(await accessOf(world, fan, postId)).toBe('full')
      await call(world, creator, 'PATCH', `/plans/${plan.id}`, { opens_cheaper: false })
      expect(await accessOf(world, fan, postId)).toBe('full')
    })

    test('the price of a member stays until they agree to another one', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await call(world, creator, 'PATCH', `/plans/${plan.id}`, { price: 700 })
      await runJobs(world)
      expect((await emailsTo(world, fan.email)).at(-1)).toMatchObject({
        is: 'plan_price',
        offered: 700,
        amount: 500,
      })
      for (const price of [600, 700]) await call(world, creator, 'PATCH', `/plans/${plan.id}`, { price })
      await runJobs(world)
      const told = (await emailsTo(world, fan.email)).filter((one) => one.is === 'plan_price')
      expect(told).toHaveLength(1)
      expect(await membershipOf(world, fan)).toMatchObject({ price: 500, offered_price: 700 })
      expect(await chargedAmount(it.id)).toBe(500)
      const own = (await call(world, creator, 'GET', '/plans/own')).json<{ plans: OwnPlan[] }>().plans
      expect(own).toMatchObject([{ price: 700, monthly_yen: 500 }])
      expect(await codeOf(changeNext(world, fan, it.id, { plan_id: plan.id, price: 600 }))).toBe(
        'price_changed',
      )
      await changeNext(world, fan, it.id, { plan_id: plan.id, price: 700 })
      expect(await membershipOf(world, fan)).toMatchObject({ offered_price: null, next: { price: 700 } })
      await runJobs(world)
      world.clock.now = JANUARY + 3600_000
      await charge(world, it, { am: '700', ta: '700' })
      expect(await membershipOf(world, fan)).toMatchObject({ price: 700, offered_price: null, next: null })
      // The amount of before is no longer that of this member, so it goes back.
      world.clock.now += 31 * 24 * 3600_000
      await charge(world, it)
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
    })

    test('who has cancelled is told of no dearer price, and of no next charge when the plan closes', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await cancel(world, fan, it.id)
      await runJobs(world)
      await call(world, creator, 'PATCH', `/plans/${plan.id}`, { price: 700 })
      await call(world, creator, 'POST', `/plans/${plan.id}/close`, { ends_on: '2027-02-20' })
      await runJobs(world)
      const told = (await emailsTo(world, fan.email)).slice(-2)
      expect(told).toMatchObject([
        { is: 'membership_cancelling' },
        { is: 'plan_closing', nextChargeAt: null },
      ])
    })

    test('a change is taken back before its charge, and by agreeing to the present plan', async () => {
      const { fan, plan } = club
      const other = await dear()
      const it = await joined(world, fan, plan.id)
      for (const undo of [
        () => revokeChange(world, fan, it.id),
        () => changeNext(world, fan, it.id, { plan_id: plan.id, price: 500 }),
      ]) {
        await changeNext(world, fan, it.id, { plan_id: other.id, price: 900 })
        await runJobs(world)
        expect((await undo()).json().next).toBeNull()
        await runJobs(world)
        expect(await chargedAmount(it.id)).toBe(500)
      }
      world.clock.now = JANUARY + 3600_000
      await charge(world, it, { am: '900', ta: '900' })
      expect((await outcomesOf(world)).at(-1)).toBe('refused:amount')
    })

    test('a planned change gets the new price of its plan when its member agrees to that', async () => {
      const { fan, creator, plan } = club
      const other = await dear()
      const it = await joined(world, fan, plan.id)
      await changeNext(world, fan, it.id, { plan_id: other.id, price: 900 })
      await call(world, creator, 'PATCH', `/plans/${other.id}`, { price: 1000 })
      const reply = await changeNext(world, fan, it.id, { plan_id: other.id, price: 1000 })
      expect(reply.json().next).toMatchObject({ id: other.id, price: 1000 })
    })

    test('what changes nothing asks the provider for nothing', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await runJobs(world)
      expect((await revokeChange(world, club.fan, it.id)).json().next).toBeNull()
      // A failed attempt for a month that is paid.
      await report(world, it, '3')
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active' })
      expect(await takeJobs(world, 'membership.charges')).toEqual([])
    })

    test('a planned change takes the last place of a plan, until it is taken back', async () => {
      const { fan, plan } = club
      const other = await dear({ member_limit: 1 })
      const it = await joined(world, fan, plan.id)
      const next = { plan_id: other.id, price: 900 }
      await changeNext(world, fan, it.id, next)
      expect((await changeNext(world, fan, it.id, next)).statusCode).toBe(200)
      const late = await signUp(world)
      expect(await codeOf(beginJoining(world, late, other.id, { price: 900 }))).toBe('plan_closed')
      await revokeChange(world, fan, it.id)
      expect((await beginJoining(world, late, other.id, { price: 900 })).statusCode).toBe(200)
    })

    test('a change needs an active membership, and a plan of the same creator that can be joined', async () => {
      const { fan, plan } = club
      const it = await joined(world, fan, plan.id)
      const paused = await dear({ accepts_members: false })
      const { plan: foreign } = await openClub(world)
      const to = (planId: string, price: number) => changeNext(world, fan, it.id, { plan_id: planId, price })
      expect(await codeOf(to(paused.id, 900))).toBe('plan_closed')
      expect(await codeOf(to(foreign.id, 500))).toBe('not_found')
      expect(await codeOf(to(newId(), 500))).toBe('not_found')
      await cancel(world, fan, it.id)
      expect(await codeOf(to(plan.id, 500))).toBe('conflict')
    })

    test('another person can do nothing with a membership', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      for (const as of [creator, await signUp(world)]) {
        expect(await codeOf(cancel(world, as, it.id))).toBe('not_found')
        expect(await codeOf(changeNext(world, as, it.id, { plan_id: plan.id, price: 500 }))).toBe('not_found')
        expect(await codeOf(revokeChange(world, as, it.id))).toBe('not_found')
      }
      expect(await codeOf(cancel(world, null, it.id))).toBe('unauthenticated')
      expect(await membershipOf(world, fan)).toMatchObject({ state: 'active' })
    })
  })
})
