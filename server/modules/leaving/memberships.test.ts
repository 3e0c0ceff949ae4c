// What ends memberships besides their members: blocks, leaving, suspensions, plans that close.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { deleteDueAccounts } from './erase.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import {
  addedPlan,
  changeNext,
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
import { accessOf, ledgerOf, outcomesOf, rowsOf } from '#server/testing/payments/shop.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
/** 10 December 2026, 12:00 in Asia/Tokyo, and the start of 10 January. */
const START = Date.parse('2026-12-10T03:00:00Z')
const JANUARY = Date.parse('2027-01-09T15:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a membership that others end', () => {
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

    const rowOf = async (id: string) =>
      (
        await rowsOf<{ state: string; why: string | null; charged_amount: number; paid_until: Date }>(
          world,
          'select state, why, charged_amount, paid_until from memberships where id = $1',
          [id],
        )
      )[0]
    const block = (by: Member, whom: Member) => call(world, by, 'PUT', `/blocks/${whom.id}`)
    const refundsOf = async (of: Member) =>
      (await emailsTo(world, of.email)).filter((it) => it.is === 'refund').length

    test('a creator who blocks a member ends the membership, refunds its month, and stops the charges', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await block(creator, fan)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'blocked', charged_amount: 0 })
      expect([(await ledgerOf(world))['refunds'], await refundsOf(fan)]).toEqual([undefined, 1])
      await call(world, creator, 'DELETE', `/blocks/${fan.id}`)
      expect(await accessOf(world, fan, postId)).toBe('plan')
    })

    test('a member who blocks the creator has cancelled: the month stays paid, and is open after the block', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await block(fan, creator)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'cancelled', charged_amount: 0 })
      expect(await refundsOf(fan)).toBe(0)
      expect(errorOf(await resume(world, fan, it.id, { price: 500 })).code).toBe('conflict')
      await call(world, fan, 'DELETE', `/blocks/${creator.id}`)
      expect(await accessOf(world, fan, postId)).toBe('full')
    })

    test('a payment that comes after a block joins nothing, is refunded, and its recurring charge is stopped', async () => {
      const { fan, creator, plan } = club
      const it = await joining(world, fan, plan.id)
      await block(creator, fan)
      await charge(world, it)
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
      await runJobs(world)
      expect([await rowOf(it.id), (await ledgerOf(world))['refunds']]).toEqual([undefined, undefined])
    })

    test('a member who requests the deletion of their account is charged no more', async () => {
      const { fan, plan } = club
      const it = await joined(world, fan, plan.id)
      await leave(world, fan)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'member_left', charged_amount: 0 })
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'member_left' })
      expect(await refundsOf(fan)).toBe(0)
    })

    test('whose deletion stops a plan is told so before, while waiting and afterwards, and it does not go on by itself', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      const stateOf = async (as: Member) => (await call(world, as, 'GET', '/user/deletion')).json()
      const names = { plan: plan.name, creator: expect.stringMatching(/./) }
      const note = { id: it.id, ...names, price: 500, paid_until: iso(JANUARY) }
      const bought = { posts: 0, amount: 0 }
      const joinedPlans = [{ ...note, renews: true }]
      const before = { leaving: null, memberships: joinedPlans, members: 0, bought, earnings: null }
      expect(await stateOf(fan)).toEqual(before)
      expect(await stateOf(creator)).toMatchObject({ leaving: null, memberships: [], members: 1 })
      await leave(world, fan)
      const stopped = [{ ...note, renews: false }]
      expect(await stateOf(fan)).toMatchObject({ memberships: stopped, members: 0 })
      expect(await stateOf(creator)).toMatchObject({ members: 0 })
      const undone = await call(world, fan, 'DELETE', '/user/deletion')
      expect(undone.json()).toEqual({ undone: true, stopped })
      expect(await emailsTo(world, fan.email)).toContainEqual(
        expect.objectContaining({ is: 'deletion_asked', plans: [names], members: 0 }),
      )
      expect(await emailsTo(world, fan.email)).toContainEqual({
        is: 'deletion_undone',
        plans: [names],
        members: 0,
      })
      expect(await stateOf(fan)).toEqual({ ...before, memberships: stopped })
      expect((await resume(world, fan, it.id, { price: 500 })).json()).toMatchObject({ state: 'active' })
      expect(await stateOf(fan)).toEqual(before)
    })

    test('that was cancelled before a deletion is not named as stopped by it', async () => {
      const { fan, plan } = club
      const it = await joined(world, fan, plan.id)
      await call(world, fan, 'POST', `/memberships/${it.id}/cancel`, {})
      await leave(world, fan)
      expect((await call(world, fan, 'GET', '/user/deletion')).json()).toMatchObject({ memberships: [] })
      expect((await call(world, fan, 'DELETE', '/user/deletion')).json()).toEqual({
        undone: true,
        stopped: [],
      })
    })

    test('of a creator who leaves is counted before and while it waits', async () => {
      const { fan, creator, plan } = club
      await joined(world, fan, plan.id)
      await leave(world, creator)
      const members = async () => (await call(world, creator, 'GET', '/user/deletion')).json().members
      expect(await members()).toBe(1)
      await runJobs(world)
      expect(await members()).toBe(1)
      expect(await emailsTo(world, creator.email)).toContainEqual(
        expect.objectContaining({ is: 'deletion_asked', plans: [], members: 1 }),
      )
      await call(world, creator, 'DELETE', '/user/deletion')
      expect(await emailsTo(world, creator.email)).toContainEqual({
        is: 'deletion_undone',
        plans: [],
        members: 1,
      })
    })

    test('is named to both of its people before a block, and to no other person', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      const effects = async (by: Member, whom: string) =>
        (await call(world, by, 'GET', `/blocks/${whom}/effects`)).json()
      const note = expect.objectContaining({ id: it.id, plan: plan.name, renews: true })
      expect(await effects(fan, creator.id)).toEqual({ own: note, theirs: null })
      expect(await effects(creator, fan.id)).toEqual({ own: null, theirs: note })
      const { fan: other } = await openClub(world)
      for (const whom of [fan.id, creator.id, other.id])
        expect(await effects(other, whom)).toEqual({ own: null, theirs: null })
    })

    test('of a creator who leaves, what was paid stays open until the account is erased, which refunds the rest', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await leave(world, creator)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({
        state: 'cancelling',
        why: 'creator_left',
        charged_amount: 0,
      })
      expect(await accessOf(world, fan, postId)).toBe('full')
      expect((await joinedPlansOf(world, fan)).plans).toHaveLength(1)
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'creator_left' })
      expect([(await ledgerOf(world))['refunds'], await refundsOf(fan)]).toEqual([undefined, 1])
      const { payments } = (await call(world, fan, 'GET', '/payments')).json()
      expect(payments).toMatchObject([{ kind: 'plan', plan: null, state: 'refunded' }])
    })

    test('a creator who stays after all can be joined further, once the member takes the stop back', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await leave(world, creator)
      await runJobs(world)
      expect(errorOf(await resume(world, fan, it.id, { price: 500 })).code).toBe('conflict')
      await call(world, creator, 'DELETE', '/user/deletion')
      expect((await resume(world, fan, it.id, { price: 500 })).json()).toMatchObject({ state: 'active' })
      await runJobs(world)
      expect(await rowOf(it.id)).toMatchObject({ state: 'active', charged_amount: 500 })
    })

    test('the suspension of a creator stops the charges, and leaves what was paid open', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [creator.id])
      await sweepMemberships(world.deps)
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'creator_left' })
      expect(await accessOf(world, fan, postId)).toBe('full')
    })

    test('a plan that closes goes on to its last day, and charges no month that ends after it', async () => {
      const { fan, creator, plan } = club
      const it = await joined(world, fan, plan.id)
      await call(world, creator, 'POST', `/plans/${plan.id}/close`, { ends_on: '2027-02-20' })
      await runJobs(world)
      expect((await emailsTo(world, fan.email)).at(-1)).toMatchObject({
        is: 'plan_closing',
        nextChargeAt: JANUARY,
      })
      world.clock.now = JANUARY + 3600_000
      await charge(world, it)
      // The next month would end after the plan.
      const renewed = (await emailsTo(world, fan.email)).at(-1)
      expect(renewed).toMatchObject({ is: 'membership_renewed', nextChargeAt: null })
      await sweepMemberships(world.deps)
      await runJobs(world)
      const end = Date.parse('2027-02-20T15:00:00Z')
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'plan_closed', charged_amount: 0 })
      expect(await membershipOf(world, fan)).toMatchObject({ paid_until: iso(end), can_resume: false })
      world.clock.now = end - 1
      expect(await accessOf(world, fan, postId)).toBe('full')
      world.clock.now = end
      expect(await accessOf(world, fan, postId)).toBe('plan')
      await sweepMemberships(world.deps)
      expect(await rowOf(it.id)).toMatchObject({ state: 'ended', why: 'plan_closed' })
    })

    test('a plan that closes takes back changes to it, and refuses those who pay a form of before', async () => {
      const { fan, creator, plan } = club
      const other = await addedPlan(world, creator, { price: 900 })
      const it = await joined(world, fan, plan.id)
      await changeNext(world, fan, it.id, { plan_id: other.id, price: 900 })
      const { fan: late } = await openClub(world)
      const form = await joining(world, late, other.id, 900)
      await call(world, creator, 'POST', `/plans/${other.id}/close`, { ends_on: '2027-01-20' })
      await runJobs(world)
      expect(await membershipOf(world, fan)).toMatchObject({ next: null })
      expect(await rowOf(it.id)).toMatchObject({ charged_amount: 500 })
      await charge(world, form, { am: '900', ta: '900' })
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
    })

    test('a stop in the provider’s panel is a cancellation; an unknown number of a recurring charge changes nothing', async () => {
      const { fan, plan } = club
      const it = await joined(world, fan, plan.id)
      await report(world, { ...it, acid: '404' }, '4')
      expect((await outcomesOf(world)).at(-1)).toBe('refused:recurring')
      expect(await rowOf(it.id)).toMatchObject({ state: 'active' })
      await report(world, it, '4')
      expect(await rowOf(it.id)).toMatchObject({ state: 'cancelling', why: 'cancelled', charged_amount: 0 })
      world.clock.now += DAY
      expect((await resume(world, fan, it.id, { price: 500 })).json()).toMatchObject({ state: 'active' })
    })
  })
})
