// Joining a plan: who may, at which price, once, and within the limit of members.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { joinPlan } from '#server/store/plans/plans.ts'
import {
  addedPlan,
  beginJoining,
  cancel,
  charge,
  type Club,
  joined,
  joining,
  openClub,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { fieldsAt, ledgerOf, outcomesOf, rowsOf, stateOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('joining a plan', () => {
    let world: World
    let club: Club
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      club = await openClub(world)
    })

    const codeOf = async (reply: Promise<Reply>) => errorOf(await reply)?.code
    const orderOf = (as: Member | null, planId = club.plan.id) =>
      call(world, as, 'GET', `/plans/${planId}/order`)

    test('what is confirmed has the plan, its creator, the day of the charge and the cheaper plans', async () => {
      world.clock.now = Date.parse('2026-12-31T03:00:00Z')
      const dear = await addedPlan(world, club.creator, { name: '朝の部屋', price: 900 })
      expect((await orderOf(club.fan, dear.id)).json()).toMatchObject({
        plan: { id: dear.id, price: 900, state: 'open' },
        creator: { id: club.creator.id },
        is_for_sale: true,
        is_of_age: true,
        is_member: false,
        membership: null,
        charge_day: 28,
        next_charge_at: '2027-01-27T15:00:00.000Z',
        first_days: 28,
        opens: [{ id: club.plan.id, name: '夜の部屋', price: 500 }],
      })
      expect((await orderOf(club.creator)).json()).toMatchObject({ is_for_sale: false })
      const alone = await addedPlan(world, club.creator, { price: 900, opens_cheaper: false })
      expect((await orderOf(club.fan, alone.id)).json()).toMatchObject({ opens: [] })
      await joined(world, club.fan, club.plan.id)
      expect((await orderOf(club.fan, dear.id)).json()).toMatchObject({
        is_member: false,
        membership: { state: 'active', plan: { id: club.plan.id } },
      })
    })

    test('it needs an account of age, and a creator who is there, identified and another person', async () => {
      const { creator, fan, plan } = club
      expect(await codeOf(beginJoining(world, null, plan.id))).toBe('unauthenticated')
      const young = await signUp(world, '2012-04-01')
      expect(await codeOf(beginJoining(world, young, plan.id))).toBe('under_age')
      expect((await orderOf(young)).json()).toMatchObject({ is_of_age: false })
      // The last minute of being 17 in Tokyo, and the 18th birthday.
      const almost = await signUp(world, '2008-12-31')
      world.clock.now = inTokyo('2026-12-30T23:59')
      expect((await orderOf(almost)).json()).toMatchObject({ is_of_age: false })
      expect(await codeOf(beginJoining(world, almost, plan.id))).toBe('under_age')
      world.clock.now = inTokyo('2026-12-31T00:00')
      expect((await orderOf(almost)).json()).toMatchObject({ is_of_age: true })
      expect((await beginJoining(world, almost, plan.id)).statusCode).toBe(200)
      expect(await codeOf(beginJoining(world, creator, plan.id))).toBe('forbidden')
      expect(await codeOf(beginJoining(world, fan, newId()))).toBe('not_found')
      await rowsOf(world, 'update users set identified_at = null where id = $1', [creator.id])
      expect(await codeOf(beginJoining(world, fan, plan.id))).toBe('forbidden')
      await call(world, creator, 'PUT', `/blocks/${fan.id}`)
      expect([await codeOf(beginJoining(world, fan, plan.id)), await codeOf(orderOf(fan))]).toEqual([
        'not_found',
        'not_found',
      ])
      await leave(world, creator)
      expect(await codeOf(beginJoining(world, await signUp(world), plan.id))).toBe('not_found')
    })

    test('it needs a plan that accepts members, at the price that was shown', async () => {
      const { creator, fan, plan } = club
      expect(await codeOf(beginJoining(world, fan, plan.id, { price: 400 }))).toBe('price_changed')
      const paused = await addedPlan(world, creator, { accepts_members: false })
      expect(await codeOf(beginJoining(world, fan, paused.id))).toBe('plan_closed')
      await call(world, creator, 'POST', `/plans/${plan.id}/close`, { ends_on: '2099-01-01' })
      const far = new Date(world.clock.now + 40 * 24 * 3600_000).toISOString().slice(0, 10)
      await call(world, creator, 'POST', `/plans/${plan.id}/close`, { ends_on: far })
      expect(await codeOf(beginJoining(world, fan, plan.id))).toBe('plan_closed')
    })

    test('the same id, and an open payment of the same plan, is the same payment', async () => {
      const { fan, plan } = club
      const id = newId()
      const one = (await beginJoining(world, fan, plan.id, { payment_id: id })).json()
      expect((await fieldsAt(world, one))['inm']).toBe('とどけのプラン（月額）')
      expect((await beginJoining(world, fan, plan.id, { payment_id: id })).json()).toEqual(one)
      expect((await beginJoining(world, fan, plan.id)).json().id).toBe(id)
      const wrong = beginJoining(world, await signUp(world), plan.id, { payment_id: id })
      expect(await codeOf(wrong)).toBe('conflict')
      world.clock.now += PAYMENT_OPEN_MS
      expect((await beginJoining(world, fan, plan.id)).json().id).not.toBe(id)
    })

    test('a late notice of an expired form still joins', async () => {
      const { fan, plan } = club
      const it = await joining(world, fan, plan.id)
      world.clock.now += PAYMENT_OPEN_MS + 1
      expect(await stateOf(world, fan, it.id)).toBe('expired')
      await charge(world, it)
      expect(await stateOf(world, fan, it.id)).toBe('paid')
    })

    test('a refused card joins nothing, and the next try does', async () => {
      const { fan, plan } = club
      const it = await joining(world, fan, plan.id)
      await charge(world, it, { rst: '2', acid: '' })
      expect([await stateOf(world, fan, it.id), (await outcomesOf(world)).at(-1)]).toEqual([
        'refused',
        'card_refused',
      ])
      await charge(world, it)
      expect(await stateOf(world, fan, it.id)).toBe('paid')
    })

    test('a charge without the number of its recurring charge joins nothing', async () => {
      const { fan, plan } = club
      const it = await joining(world, fan, plan.id)
      await charge(world, it, { acid: '' })
      expect([await stateOf(world, fan, it.id), (await outcomesOf(world)).at(-1)]).toEqual([
        'pending',
        'refused:recurring',
      ])
    })

    test('one person has one membership of a creator, also when two forms are paid', async () => {
      const { fan, creator, plan } = club
      const other = await addedPlan(world, creator, { price: 900 })
      const [one, two] = [await joining(world, fan, plan.id), await joining(world, fan, other.id, 900)]
      await charge(world, one)
      expect(await codeOf(beginJoining(world, fan, plan.id))).toBe('already_joined')
      expect(await codeOf(beginJoining(world, fan, other.id, { price: 900 }))).toBe('already_joined')
      await charge(world, two)
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
      await cancel(world, fan, one.id)
      expect(await codeOf(beginJoining(world, fan, plan.id))).toBe('already_joined')
    })

    test('a membership whose time is over can be joined again before the hourly sweep', async () => {
      const { fan, plan } = club
      const one = await joined(world, fan, plan.id)
      await cancel(world, fan, one.id)
      world.clock.now += 40 * 24 * 3600_000
      const again = await joined(world, fan, plan.id)
      expect([again.id === one.id, await stateOf(world, fan, again.id)]).toEqual([false, 'paid'])
    })

    test('a recurring charge whose first charge was returned makes no member a month later', async () => {
      const { creator, fan } = club
      const plan = await addedPlan(world, creator, { member_limit: 1 })
      const form = await joining(world, fan, plan.id)
      const first = await joined(world, await signUp(world), plan.id)
      await charge(world, form)
      const owner = (
        await rowsOf<{ user_id: string }>(world, 'select user_id from payments where id = $1', [first.id])
      )[0]
      await rowsOf(world, 'update plan_members set ends_at = now() where user_id = $1', [owner?.user_id])
      await rowsOf(
        world,
        "update memberships set state = 'ended', ended_at = now(), why = 'cancelled' where id = $1",
        [first.id],
      )
      await charge(world, form)
      expect((await outcomesOf(world)).slice(-2)).toEqual(['surplus', 'surplus'])
    })

    test('a person to whom the plan was given does not pay for it', async () => {
      const { fan, plan } = club
      const it = await joining(world, fan, plan.id)
      await joinPlan(world.deps.db, plan.id, fan.id, world.clock.now)
      expect(await codeOf(beginJoining(world, fan, plan.id))).toBe('already_joined')
      await charge(world, it)
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
    })

    test('a limit of members holds, also when several pay at once; who came late gets the money back', async () => {
      const { creator } = club
      const plan = await addedPlan(world, creator, { member_limit: 2 })
      const forms = []
      for (let n = 0; n < 4; n++) forms.push(await joining(world, await signUp(world), plan.id))
      await Promise.all(forms.map((it) => charge(world, it)))
      const outcomes = (await outcomesOf(world)).slice(-4).toSorted()
      expect(outcomes).toEqual(['granted', 'granted', 'surplus', 'surplus'])
      expect(await codeOf(beginJoining(world, await signUp(world), plan.id))).toBe('plan_closed')
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })
  })
})
