// Memberships: joining, renewals, failures, stops and refunds, by notices of the provider.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import {
  cancel,
  charge,
  type Club,
  joined,
  joinedPlansOf,
  joining,
  membershipOf,
  openClub,
  planPost,
  report,
  resume,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf, ledgerOf, outcomesOf, rowsOf, stateOf } from '#server/testing/payments/shop.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, onHosted, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
/** 10 December 2026, 12:00 in Asia/Tokyo. */
const START = Date.parse('2026-12-10T03:00:00Z')
/** Starts of the 10th of the months after it, in Asia/Tokyo. */
const [JANUARY, FEBRUARY] = [Date.parse('2027-01-09T15:00:00Z'), Date.parse('2027-02-09T15:00:00Z')]
const iso = (at: number) => new Date(at).toISOString()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a membership', () => {
    let world: World
    let club: Club
    let postId: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await runJobs(world)
      world.clock.now = START
      club = await openClub(world)
      postId = await planPost(world, club.creator, club.plan.id)
    })

    const kindsOf = async (of: Member) => (await emailsTo(world, of.email)).map((it) => it.is)
    const lastOutcome = async () => (await outcomesOf(world)).at(-1)
    const chargedAmount = async (id: string) =>
      (
        await rowsOf<{ charged_amount: number }>(
          world,
          'select charged_amount from memberships where id = $1',
          [id],
        )
      )[0]?.charged_amount

    test('the first charge opens the plan, with the sale booked, and the creator and the member notified', async () => {
      const { fan, creator, plan } = club
      const before = await ledgerOf(world)
      const it = await joining(world, fan, plan.id)
      const ofForm = { acam: '500', actx: '0', acsf: '0', actp: '4', ac1: '10' }
      expect(it.fields).toMatchObject({ am: '500', ...(!onHosted && ofForm) })
      expect(await accessOf(world, fan, postId)).toBe('plan')
      await charge(world, it)
      expect([await accessOf(world, fan, postId), await stateOf(world, fan, it.id)]).toEqual(['full', 'paid'])
      expect(await membershipOf(world, fan)).toEqual({
        id: it.id,
        state: 'active',
        price: 500,
        paid_until: iso(JANUARY),
        next_charge_at: iso(JANUARY),
        why: null,
        next: null,
        offered_price: null,
        is_processing: false,
        can_resume: false,
        card: 'register',
        card_expires: null,
      })
      const after = await ledgerOf(world)
      expect((after['creator_payable'] ?? 0) - (before['creator_payable'] ?? 0)).toBe(-450)
      expect(await kindsOf(fan)).toEqual(['membership_joined'])
      const { notifications } = (await call(world, creator, 'GET', '/notifications')).json()
      expect(JSON.stringify(notifications)).toContain('"plan"')
      const [own] = (await call(world, creator, 'GET', '/plans/own')).json().plans
      expect(own).toMatchObject({ member_count: 1, monthly_yen: 500 })
    })

    test('devices may show its posts for the days in which a renewal may come, and after a stop to its end', async () => {
      const until = async () =>
        (await call(world, club.fan, 'GET', `/posts/${postId}`)).json().access.until as string
      const it = await joined(world, club.fan, club.plan.id)
      expect(await until()).toBe(iso(JANUARY + 14 * DAY))
      world.clock.now = JANUARY + 3600_000
      await charge(world, it)
      expect(await until()).toBe(iso(FEBRUARY + 14 * DAY))
      await cancel(world, club.fan, it.id)
      expect(await until()).toBe(iso(FEBRUARY))
      await resume(world, club.fan, it.id, { price: 500 })
      expect(await until()).toBe(iso(FEBRUARY + 14 * DAY))
    })

    test('each further month is a payment of its own, paid once, also when its notice comes twice', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      world.clock.now = JANUARY + 3600_000
      const gid = newId()
      await charge(world, it, { gid })
      await charge(world, it, { gid, ap: '1' })
      expect(await membershipOf(world, club.fan)).toMatchObject({
        state: 'active',
        paid_until: iso(FEBRUARY),
      })
      const { payments } = (await call(world, club.fan, 'GET', '/payments')).json()
      expect(payments.map((one: { period: object }) => one.period)).toEqual([
        { from: iso(JANUARY), until: iso(FEBRUARY) },
        { from: iso(START), until: iso(JANUARY) },
      ])
      await charge(world, it)
      expect(await lastOutcome()).toBe('surplus')
      expect(await membershipOf(world, club.fan)).toMatchObject({ paid_until: iso(FEBRUARY) })
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
      expect(await kindsOf(club.fan)).toEqual(['membership_joined', 'membership_renewed', 'surplus'])
    })

    test('a form that is paid twice makes one membership, and its second recurring charge is refunded and stopped', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const acid = newId()
      await charge(world, { ...it, acid })
      expect(await lastOutcome()).toBe('surplus')
      const tasks = await listOpenTasks(world.deps.db, 100)
      expect(tasks.filter((one) => one.details.recurringRef === acid).map((one) => one.kind)).toEqual([
        'stop_charges',
      ])
      expect(await chargedAmount(it.id)).toBe(500)
      await runJobs(world)
      expect(await listOpenTasks(world.deps.db, 100)).toEqual([])
    })

    test('a failed renewal is emailed and leaves the plan open; a later charge goes on, a stop ends it', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      world.clock.now = JANUARY + 3600_000
      await report(world, it, '3')
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'past_due', next_charge_at: null })
      expect(await accessOf(world, club.fan, postId)).toBe('full')
      world.clock.now += 3 * DAY
      await charge(world, it)
      expect(await membershipOf(world, club.fan)).toMatchObject({
        state: 'active',
        paid_until: iso(FEBRUARY),
      })
      world.clock.now = FEBRUARY + 3600_000
      await report(world, it, '3')
      await report(world, it, '2')
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      const { plans, ended } = await joinedPlansOf(world, club.fan)
      expect([plans, ended]).toMatchObject([[], [{ id: it.id, why: 'payment_failed', can_join: true }]])
      expect(await kindsOf(club.fan)).toEqual([
        'membership_joined',
        'membership_past_due',
        'membership_renewed',
        'membership_past_due',
        'membership_ended',
      ])
    })

    test('a cancelled membership of a plan that closes cannot be taken up again', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await cancel(world, club.fan, it.id)
      await call(world, club.creator, 'POST', `/plans/${club.plan.id}/close`, { ends_on: '2027-02-20' })
      expect(errorOf(await resume(world, club.fan, it.id, { price: 500 })).code).toBe('conflict')
    })

    test('the sweep has the provider asked again for an amount that it does not charge', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await runJobs(world)
      await rowsOf(world, 'update memberships set charged_amount = 400 where id = $1', [it.id])
      await sweepMemberships(world.deps)
      expect(await takeJobs(world, 'membership.charges')).toEqual([{ membershipId: it.id }])
    })

    test('a cancelled membership is open to the end of its month, charged no more, and can be taken up again', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const reply = (await cancel(world, club.fan, it.id)).json()
      expect(reply).toMatchObject({
        state: 'cancelling',
        why: 'cancelled',
        can_resume: true,
        is_processing: true,
      })
      await cancel(world, club.fan, it.id)
      await runJobs(world)
      expect([await chargedAmount(it.id), await accessOf(world, club.fan, postId)]).toEqual([0, 'full'])
      expect(errorOf(await resume(world, club.fan, it.id, { price: 400 })).code).toBe('price_changed')
      expect((await resume(world, club.fan, it.id, { price: 500 })).json()).toMatchObject({ state: 'active' })
      await runJobs(world)
      expect(await chargedAmount(it.id)).toBe(500)
      await cancel(world, club.fan, it.id)
      world.clock.now = JANUARY - 1
      expect(await accessOf(world, club.fan, postId)).toBe('full')
      world.clock.now = JANUARY
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      expect(errorOf(await resume(world, club.fan, it.id, { price: 500 })).code).toBe('conflict')
      await sweepMemberships(world.deps)
      expect((await kindsOf(club.fan)).at(-1)).toBe('membership_ended')
    })

    test('a charge after the cancellation is refunded, and stopped at the provider again', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await cancel(world, club.fan, it.id)
      await runJobs(world)
      world.clock.now = JANUARY + 3600_000
      await charge(world, it)
      expect([await lastOutcome(), await chargedAmount(it.id)]).toEqual(['surplus', 500])
      await runJobs(world)
      expect([await chargedAmount(it.id), await accessOf(world, club.fan, postId)]).toEqual([0, 'plan'])
    })

    test('the refund of the month that runs ends the membership; that of an earlier one does not', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      world.clock.now = JANUARY + 3600_000
      await charge(world, it)
      const by = { actorId: club.creator.id, ip: '' }
      expect(await refundPayment(world.deps, it.id, by)).toBe(true)
      expect(await accessOf(world, club.fan, postId)).toBe('full')
      const { payments } = (await call(world, club.fan, 'GET', '/payments')).json()
      expect(await refundPayment(world.deps, payments[0].id, by)).toBe(true)
      expect(await accessOf(world, club.fan, postId)).toBe('plan')
      await runJobs(world)
      expect([await chargedAmount(it.id), (await ledgerOf(world))['refunds']]).toEqual([0, undefined])
    })

    test('without any notice a membership is past due after two days, and ended after fourteen', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const at = async (moment: number) => {
        world.clock.now = moment
        await sweepMemberships(world.deps)
        return (await membershipOf(world, club.fan))?.state
      }
      expect(await at(JANUARY + 2 * DAY - 1)).toBe('active')
      expect(await at(JANUARY + 2 * DAY)).toBe('past_due')
      expect(await at(JANUARY + 14 * DAY)).toBeUndefined()
      await runJobs(world)
      expect(await chargedAmount(it.id)).toBe(0)
    })
  })
})
