// Members whose month could not be charged: paying it, and coming back.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import {
  beginCard,
  beginJoining,
  cancel,
  changingCard,
  charge,
  type Club,
  joined,
  joinedPlansOf,
  type Joining,
  joining,
  membershipOf,
  openClub,
  planPost,
  report,
  returnedFor,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf, ledgerOf, outcomesOf, stateOf } from '#server/testing/payments/shop.ts'
import { keptOf, memberRowOf, tasksAbout } from '#server/testing/memberships/cards.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
/** 10 December 2026, 12:00 in Asia/Tokyo. */
const START = Date.parse('2026-12-10T03:00:00Z')
/** Starts of the 10th of the months after it, in Asia/Tokyo. */
const [JANUARY, FEBRUARY] = [Date.parse('2027-01-09T15:00:00Z'), Date.parse('2027-02-09T15:00:00Z')]
const iso = (at: number) => new Date(at).toISOString()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a month that could not be charged', () => {
    let world: World
    let club: Club
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = START
      club = await openClub(world, { member_limit: 1, back_numbers: 'since_joining' })
    })

    const lastOutcome = async () => (await outcomesOf(world)).at(-1)
    const reasons = (of: Joining) => returnedFor(world, club.fan, of.id)
    const rowOf = (id: string) => memberRowOf(world, id)
    const kept = (id: string) => keptOf(world, id)
    const dearer = () => call(world, club.creator, 'PATCH', `/plans/${club.plan.id}`, { price: 1500 })
    const codeOf = async (reply: ReturnType<typeof beginCard>) => errorOf(await reply).code
    const pastDue = async () => {
      const it = await joined(world, club.fan, club.plan.id)
      world.clock.now = JANUARY + HOUR
      await report(world, it, '3')
      return it
    }

    test('may be paid by a new account up to its limit, of which the open form of this card takes nothing', async () => {
      const it = await pastDue()
      await world.database.executeSql('update users set created_at = $2 where id = $1', [
        club.fan.id,
        iso(world.clock.now - DAY),
      ])
      const { limits } = world.deps.settings.payments
      const { newAccountYen: before } = limits
      Object.assign(limits, { newAccountYen: 700 })
      try {
        await changingCard(world, club.fan, it.id, { act: 'pay' })
        const left = async (of: string) => {
          const path = `/payments/allowance?price=500&plan_id=${club.plan.id}${of}`
          return (await call(world, club.fan, 'GET', path)).json().allowance.left
        }
        expect([await left(`&card_of=${it.id}`), await left('')]).toEqual([700, 200])
      } finally {
        Object.assign(limits, { newAccountYen: before })
      }
    })

    test('pays that month at once, and the day of the charge stays', async () => {
      const postId = await planPost(world, club.creator, club.plan.id)
      const it = await pastDue()
      const before = await kept(it.id)
      await dearer()
      expect((await membershipOf(world, club.fan))?.card).toBe('pay')
      world.clock.now += 3 * DAY
      const form = await changingCard(world, club.fan, it.id, { act: 'pay' })
      expect(form.fields).toMatchObject({ am: '500' })
      await charge(world, form)
      expect([await lastOutcome(), await stateOf(world, club.fan, form.id)]).toEqual(['granted', 'paid'])
      expect(await membershipOf(world, club.fan)).toMatchObject({
        state: 'active',
        paid_until: iso(FEBRUARY),
      })
      expect([await kept(it.id), await accessOf(world, club.fan, postId)]).toEqual([before, 'full'])
      expect(await tasksAbout(world, it.acid)).toEqual(['stop_charges'])
      // A late try of the card before has paid nothing.
      await charge(world, it)
      expect([await lastOutcome(), await reasons(it)]).toEqual(['surplus', ['bought']])
      await charge(world, { ...form, acid: newId() })
      expect([await lastOutcome(), await reasons(form)]).toEqual(['surplus', ['bought']])
    })

    test('is changed and its charge returned, where the card before has paid the month meanwhile', async () => {
      const it = await pastDue()
      const form = await changingCard(world, club.fan, it.id, { act: 'pay' })
      await charge(world, it)
      expect(await lastOutcome()).toBe('granted')
      await charge(world, form)
      expect([await lastOutcome(), (await rowOf(it.id))?.['acid']]).toEqual(['surplus', form.acid])
      expect(await reasons(form)).toEqual(['bought'])
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })

    test('keeps price, place and posts for fourteen days after the end, also of who cancelled then', async () => {
      const postId = await planPost(world, club.creator, club.plan.id)
      const it = await pastDue()
      const before = await kept(it.id)
      await cancel(world, club.fan, it.id)
      await dearer()
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'cancelled' })
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      const other = await signUp(world)
      expect(await codeOf(beginJoining(world, other, club.plan.id, { price: 1500 }))).toBe('plan_closed')
      world.clock.now += 13 * DAY
      const [ended] = (await joinedPlansOf(world, club.fan)).ended
      expect(ended?.return_until).toBe(iso(JANUARY + HOUR + 14 * DAY))
      const order = (await call(world, club.fan, 'GET', `/plans/${club.plan.id}/order`)).json()
      expect(order.returning).toEqual({ id: it.id, price: 500, until: ended?.return_until })
      const form = await changingCard(world, club.fan, it.id, { act: 'return' })
      await charge(world, form)
      expect(await lastOutcome()).toBe('granted')
      expect(await membershipOf(world, club.fan)).toMatchObject({ id: it.id, state: 'active', price: 500 })
      expect(await kept(it.id)).toEqual(before)
      expect(await accessOf(world, club.fan, postId)).toBe('full')
      // A whole month is paid: the day of the charge is that of the return.
      expect((await membershipOf(world, club.fan))?.paid_until).toBe(iso(Date.parse('2027-02-22T15:00:00Z')))
    })

    test('after them the place is free, and joining is a new membership', async () => {
      const it = await pastDue()
      await report(world, it, '2')
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'payment_failed' })
      world.clock.now += 14 * DAY + 3 * HOUR
      expect(await codeOf(beginCard(world, club.fan, it.id, { act: 'return' }))).toBe('conflict')
      const other = await signUp(world)
      await joined(world, other, club.plan.id)
      expect(await membershipOf(world, other)).toMatchObject({ state: 'active' })
    })

    test('who cancelled after the form was begun has the month, and is charged no other one', async () => {
      const it = await pastDue()
      const form = await changingCard(world, club.fan, it.id, { act: 'pay' })
      world.clock.now += 60_000
      await cancel(world, club.fan, it.id)
      await charge(world, form)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'cancelled', charged_amount: 0 })
    })

    test('a charge after the time of the return, or after a block, is returned and its recurring charge stopped', async () => {
      const it = await pastDue()
      const form = await changingCard(world, club.fan, it.id, { act: 'pay' })
      await call(world, club.fan, 'PUT', `/blocks/${club.creator.id}`)
      await charge(world, form)
      expect([await lastOutcome(), await reasons(form)]).toEqual(['surplus', ['gone']])
      expect(await tasksAbout(world, form.acid)).toContain('stop_charges')
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended' })
    })

    test('who has joined again meanwhile does not return', async () => {
      const it = await pastDue()
      await cancel(world, club.fan, it.id)
      await call(world, club.creator, 'PATCH', `/plans/${club.plan.id}`, { member_limit: 5 })
      const form = await changingCard(world, club.fan, it.id, { act: 'return' })
      await joined(world, club.fan, club.plan.id)
      expect(await codeOf(beginCard(world, club.fan, it.id, { act: 'return' }))).toBe('already_joined')
      await charge(world, form)
      expect([await lastOutcome(), (await rowOf(it.id))?.['state']]).toEqual(['surplus', 'ended'])
      expect(await reasons(form)).toEqual(['bought'])
    })

    test('a membership that ended for another reason does not return', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await cancel(world, club.fan, it.id)
      world.clock.now = JANUARY + HOUR
      await sweepMemberships(world.deps)
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'cancelled' })
      expect(await codeOf(beginCard(world, club.fan, it.id, { act: 'return' }))).toBe('conflict')
      expect((await joining(world, await signUp(world), club.plan.id)).id).toBeDefined()
    })
  })
})
