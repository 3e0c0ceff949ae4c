// Charges of plans that come late, early or with an amount of before.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { providersOf } from '#server/services/payments/providers.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import {
  addedPlan,
  changeNext,
  charge,
  type Club,
  joined,
  type Joining,
  joining,
  membershipOf,
  openClub,
  planPost,
  report,
  returnedFor,
  revokeChange,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf, ledgerOf, outcomesOf } from '#server/testing/payments/shop.ts'
import { call } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
const tokyo = (text: string) => Date.parse(`${text}+09:00`)
const iso = (text: string) => new Date(tokyo(text)).toISOString()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a charge of a plan', () => {
    let world: World
    let club: Club
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = tokyo('2026-12-10T12:00')
      club = await openClub(world)
    })

    const lastOutcome = async () => (await outcomesOf(world)).at(-1)
    const paidUntil = async () => (await membershipOf(world, club.fan))?.paid_until
    const chargeAt = async (it: Joining, at: string, more = {}) => {
      world.clock.now = tokyo(at)
      await charge(world, it, more)
      return [await lastOutcome(), await paidUntil()]
    }
    const reasons = (it: Joining) => returnedFor(world, club.fan, it.id)
    /** Compares with a list of one charge. */
    const listed = (it: Joining, chargedAt: string, amount = 500) => {
      const provider = world.deps.paymentProviders.current
      if (!provider) throw new Error('selling is off')
      const fixed = { chargeRef: newId(), paymentId: it.id, amount, refunded: 0, recurringRef: it.acid }
      const charges = [{ ...fixed, chargedAt: new Date(tokyo(chargedAt)) }]
      const list = async () => ({ charges, recurring: [] })
      return reconcile({ ...world.deps, paymentProviders: providersOf({ ...provider, list }) })
    }

    test('after failed ones pays the period that began in the month before', async () => {
      world.clock.now = tokyo('2026-12-30T12:00')
      const it = await joined(world, club.fan, club.plan.id)
      expect(await paidUntil()).toBe(iso('2027-01-28T00:00'))
      world.clock.now = tokyo('2027-01-28T03:00')
      await report(world, it, '3')
      expect(await chargeAt(it, '2027-02-03T03:00')).toEqual(['granted', iso('2027-02-28T00:00')])
      expect(await chargeAt(it, '2027-02-28T03:00')).toEqual(['granted', iso('2027-03-28T00:00')])
    })

    test('shortly before the charge day pays the period that begins on it', async () => {
      world.clock.now = tokyo('2026-12-01T12:00')
      const it = await joined(world, club.fan, club.plan.id)
      expect(await chargeAt(it, '2026-12-31T22:00')).toEqual(['granted', iso('2027-02-01T00:00')])
      expect(await chargeAt(it, '2027-02-01T02:00')).toEqual(['granted', iso('2027-03-01T00:00')])
    })

    test('of a change that was taken back before the provider knew is returned', async () => {
      const dear = await addedPlan(world, club.creator, { price: 980 })
      const it = await joined(world, club.fan, club.plan.id)
      await changeNext(world, club.fan, it.id, { plan_id: dear.id, price: 980 })
      await runJobs(world)
      await revokeChange(world, club.fan, it.id)
      const [outcome] = await chargeAt(it, '2027-01-10T03:00', { am: '980', ta: '980' })
      expect([outcome, await paidUntil()]).toEqual(['surplus', iso('2027-01-10T00:00')])
      expect(await reasons(it)).toEqual(['changed'])
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
      expect(await membershipOf(world, club.fan)).toMatchObject({ price: 500, is_processing: false })
    })

    test('of the price of before is no forgery when its notice is late', async () => {
      const dear = await addedPlan(world, club.creator, { price: 980 })
      const it = await joined(world, club.fan, club.plan.id)
      await changeNext(world, club.fan, it.id, { plan_id: dear.id, price: 980 })
      await runJobs(world)
      await chargeAt(it, '2027-01-10T03:00', { am: '980', ta: '980' })
      expect(await membershipOf(world, club.fan)).toMatchObject({ price: 980 })
      expect((await chargeAt(it, '2027-01-11T03:00'))[0]).toBe('surplus')
      expect(await reasons(it)).toEqual(['bought'])
      expect((await chargeAt(it, '2027-01-11T03:00', { am: '700', ta: '700' }))[0]).toBe('refused:amount')
    })

    test('that is found after its first month is over is returned and opens nothing', async () => {
      const postId = await planPost(world, club.creator, club.plan.id)
      const it = await joining(world, club.fan, club.plan.id)
      world.clock.now = tokyo('2027-01-20T12:00')
      expect(await listed(it, '2026-12-10T12:05')).toMatchObject({ applied: 1 })
      expect(await reasons(it)).toEqual(['gone'])
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })

    test('without a recurring charge, whose fields the buyer removed from the form, is returned', async () => {
      const it = await joining(world, club.fan, club.plan.id)
      expect(await listed({ ...it, acid: '' }, '2026-12-10T12:05')).toMatchObject({ applied: 1 })
      expect(await reasons(it)).toEqual(['changed'])
      expect(await membershipOf(world, club.fan)).toBeUndefined()
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })

    test('of a membership that ended unpaid opens again what that opened, whatever the plans cost now', async () => {
      const dear = await addedPlan(world, club.creator, { price: 980 })
      const postId = await planPost(world, club.creator, club.plan.id)
      const it = await joined(world, club.fan, dear.id, 980)
      expect(await accessOf(world, club.fan, postId)).toBe('full')
      for (const days of [3, 15]) {
        world.clock.now = tokyo('2027-01-10T00:00') + days * DAY
        await sweepMemberships(world.deps)
      }
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      const path = `/plans/${club.plan.id}`
      expect((await call(world, club.creator, 'PATCH', path, { price: 1500 })).statusCode).toBe(200)
      expect(await listed(it, '2027-01-10T03:00', 980)).toMatchObject({ applied: 1 })
      expect(await membershipOf(world, club.fan)).toMatchObject({ id: it.id, state: 'cancelling' })
      expect(await accessOf(world, club.fan, postId)).toBe('full')
    })

    test('of a membership that ended unpaid is returned when its member has joined again', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      for (const days of [3, 15]) {
        world.clock.now = tokyo('2027-01-10T00:00') + days * DAY
        await sweepMemberships(world.deps)
      }
      await runJobs(world)
      const again = await joined(world, club.fan, club.plan.id)
      expect(await listed(it, '2027-01-10T03:00')).toMatchObject({ applied: 1 })
      expect(await reasons(it)).toEqual(['ended'])
      expect(await membershipOf(world, club.fan)).toMatchObject({ id: again.id, state: 'active' })
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })
  })
})
