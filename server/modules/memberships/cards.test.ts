// Changing the card of a membership: price, place and open posts stay.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { providersOf } from '#server/services/payments/providers.ts'
import {
  beginCard,
  beginJoining,
  cancel,
  changingCard,
  charge,
  type Club,
  joined,
  membershipOf,
  openClub,
  report,
  resume,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { ledgerOf, outcomesOf, stateOf } from '#server/testing/payments/shop.ts'
import { keptOf, memberRowOf, tasksAbout } from '#server/testing/memberships/cards.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
/** 10 December 2026, 12:00 in Asia/Tokyo. */
const START = Date.parse('2026-12-10T03:00:00Z')
/** Starts of the 10th of the months after it, in Asia/Tokyo. */
const [JANUARY, FEBRUARY] = [Date.parse('2027-01-09T15:00:00Z'), Date.parse('2027-02-09T15:00:00Z')]
const iso = (at: number) => new Date(at).toISOString()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the card of a membership', () => {
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
    const rowOf = (id: string) => memberRowOf(world, id)
    const kept = (id: string) => keptOf(world, id)
    const dearer = () => call(world, club.creator, 'PATCH', `/plans/${club.plan.id}`, { price: 1500 })
    const codeOf = async (reply: ReturnType<typeof beginCard>) => errorOf(await reply).code
    const kindsOf = async (of: Member) => (await emailsTo(world, of.email)).map((it) => it.is)

    test('is changed without a payment; the next month is charged to it, and the one before is stopped', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const before = await kept(it.id)
      await dearer()
      expect((await membershipOf(world, club.fan))?.card).toBe('register')
      const form = await changingCard(world, club.fan, it.id)
      expect(form.fields).toMatchObject({ am: '0' })
      // Until the provider reports it, the card before is that of the membership.
      expect(await rowOf(it.id)).toMatchObject({ acid: it.acid, form_id: null })
      await charge(world, form)
      expect([await lastOutcome(), await stateOf(world, club.fan, form.id)]).toEqual([
        'registered',
        'registered',
      ])
      expect(await rowOf(it.id)).toMatchObject({ acid: form.acid, form_id: form.id, charged_amount: 500 })
      expect(await tasksAbout(world, it.acid)).toEqual(['stop_charges'])
      await runJobs(world)
      expect(await tasksAbout(world, it.acid)).toEqual([])
      world.clock.now = JANUARY + HOUR
      await charge(world, form, { am: '500', ta: '500' })
      expect(await lastOutcome()).toBe('granted')
      expect(await membershipOf(world, club.fan)).toMatchObject({ price: 500, paid_until: iso(FEBRUARY) })
      expect(await kept(it.id)).toEqual(before)
      const kinds = (await kindsOf(club.fan)).filter((one) => one !== 'plan_price')
      expect(kinds).toEqual(['membership_joined', 'membership_card', 'membership_renewed'])
    })

    test('is one payment of no money: no sale, no purchase, no receipt', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const before = await ledgerOf(world)
      const form = await changingCard(world, club.fan, it.id)
      await charge(world, form)
      expect(await ledgerOf(world)).toEqual(before)
      const { payments } = (await call(world, club.fan, 'GET', '/payments')).json()
      expect(payments.map((one: { id: string }) => one.id)).toEqual([it.id])
    })

    test('is one form for two tabs, and a form that is given up changes nothing', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const [one, other] = [
        await changingCard(world, club.fan, it.id),
        await changingCard(world, club.fan, it.id),
      ]
      expect(other.id).toBe(one.id)
      world.clock.now = JANUARY + HOUR
      await charge(world, it)
      expect([await lastOutcome(), (await membershipOf(world, club.fan))?.state]).toEqual([
        'granted',
        'active',
      ])
      expect(await stateOf(world, club.fan, one.id)).toBe('expired')
    })

    test('is that of the form that was done first; what the same form registers again is stopped', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await charge(world, form)
      await charge(world, form, { x: 'again' })
      expect(await rowOf(it.id)).toMatchObject({ acid: form.acid })
      const second = newId()
      await charge(world, { ...form, acid: second })
      expect(await rowOf(it.id)).toMatchObject({ acid: form.acid })
      expect(await tasksAbout(world, second)).toEqual(['stop_charges'])
    })

    test('a notice that says another amount or shop changes nothing', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await charge(world, form, { am: '1', ta: '1' })
      expect(await lastOutcome()).toBe('refused:amount')
      await charge(world, form, { aid: '999' })
      expect(await lastOutcome()).toBe('refused:store')
      // The form of joining takes money: nothing of no yen is its registration.
      await charge(world, it, { am: '0', ta: '0' })
      expect(await lastOutcome()).toBe('refused:amount')
      expect(await rowOf(it.id)).toMatchObject({ acid: it.acid })
    })

    test('the card before, charged once more, is returned; the month is that of the new one', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await charge(world, form)
      world.clock.now = JANUARY + HOUR
      await charge(world, it)
      expect(await lastOutcome()).toBe('surplus')
      await charge(world, form, { am: '500', ta: '500' })
      expect(await lastOutcome()).toBe('granted')
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })

    test('a report that the card before was stopped or failed changes nothing', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await charge(world, form)
      for (const rst of ['3', '4', '2'] as const) {
        await report(world, it, rst)
        expect(await lastOutcome()).toBe('unchanged')
      }
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active', is_processing: false })
      await report(world, form, '4')
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'cancelling' })
    })

    test('a lost notice is mended by its first month, or before by the list of the provider', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      world.clock.now = JANUARY + HOUR
      await charge(world, form, { am: '500', ta: '500' })
      expect([await lastOutcome(), (await rowOf(it.id))?.['acid']]).toEqual(['granted', form.acid])
      const next = await changingCard(world, club.fan, it.id)
      const provider = world.deps.paymentProviders.current
      if (!provider) throw new Error('selling is off')
      const fixed = { recurringRef: next.acid, paymentId: next.id, amount: 500, isRunning: true }
      const list = async () => ({ charges: [], recurring: [fixed] })
      await reconcile({ ...world.deps, paymentProviders: providersOf({ ...provider, list }) })
      expect((await rowOf(it.id))?.['acid']).toBe(next.acid)
      expect(await stateOf(world, club.fan, next.id)).toBe('registered')
    })

    test('goes on where the provider gave up before the end of what was paid', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await report(world, it, '2')
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'cancelling', card: 'register' })
      await charge(world, await changingCard(world, club.fan, it.id))
      expect(await membershipOf(world, club.fan)).toMatchObject({ state: 'active', paid_until: iso(JANUARY) })
    })

    test('of who cancels meanwhile is stopped, and charged only after the cancellation is taken back', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await cancel(world, club.fan, it.id)
      expect(await codeOf(beginCard(world, club.fan, it.id))).toBe('conflict')
      await charge(world, form)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ acid: form.acid, state: 'cancelling', charged_amount: 0 })
      await resume(world, club.fan, it.id, { price: 500 })
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ acid: form.acid, state: 'active', charged_amount: 500 })
    })

    test('of a membership that a block has ended is stopped', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const form = await changingCard(world, club.fan, it.id)
      await call(world, club.creator, 'PUT', `/blocks/${club.fan.id}`)
      await charge(world, form)
      expect(await tasksAbout(world, form.acid)).toEqual(['stop_charges'])
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', acid: it.acid })
    })

    test('is no one else’s business', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const stranger = await signUp(world)
      expect(await codeOf(beginCard(world, stranger, it.id))).toBe('not_found')
      expect(errorOf(await call(world, stranger, 'GET', `/memberships/${it.id}/card`)).code).toBe('not_found')
      expect(await codeOf(beginCard(world, club.fan, it.id, { price: 600 }))).toBe('price_changed')
      expect(await codeOf(beginCard(world, club.fan, it.id, { act: 'pay' }))).toBe('conflict')
    })

    test('of a plan that ends before another month is not changed', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await call(world, club.creator, 'POST', `/plans/${club.plan.id}/close`, { ends_on: '2027-01-20' })
      await runJobs(world)
      expect(['conflict', 'plan_closed']).toContain(await codeOf(beginCard(world, club.fan, it.id)))
    })

    test('is changed also while nothing new is sold, and not without any provider', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      const { payments } = world.deps.settings
      const before = payments.isSelling
      Object.assign(payments, { isSelling: false })
      try {
        expect(await codeOf(beginJoining(world, await signUp(world), club.plan.id))).toBe('sales_paused')
        expect((await beginCard(world, club.fan, it.id)).statusCode).toBe(200)
      } finally {
        Object.assign(payments, { isSelling: before })
      }
    })

    test('is told once from the first day of its last month on, and no more after a change', async () => {
      const it = await joined(world, club.fan, club.plan.id)
      await world.database.executeSql(`update memberships set card_expires = '2027-01' where id = $1`, [
        it.id,
      ])
      await sweepMemberships(world.deps)
      expect((await membershipOf(world, club.fan))?.card_expires).toBe(null)
      world.clock.now = Date.parse('2026-12-31T15:00:00Z')
      await sweepMemberships(world.deps)
      await sweepMemberships(world.deps)
      expect((await membershipOf(world, club.fan))?.card_expires).toBe('2027-01')
      expect((await kindsOf(club.fan)).filter((one) => one === 'membership_card_expires')).toHaveLength(1)
      await charge(world, await changingCard(world, club.fan, it.id))
      expect((await membershipOf(world, club.fan))?.card_expires).toBe(null)
    })
  })
})
