// What edits of plans open to their members, and when.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listPlanOpenings, OwnPlan } from '#contract/plans/plans.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import {
  addedPlan,
  changeNext,
  charge,
  type Club,
  joined,
  type Joining,
  openClub,
  planPost,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { accessOf } from '#server/testing/payments/shop.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000
/** 10 December 2026, 12:00 in Asia/Tokyo, and the start of 10 January. */
const START = Date.parse('2026-12-10T03:00:00Z')
const JANUARY = Date.parse('2027-01-09T15:00:00Z')

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a member of a plan of 500 yen, beside one of 5,000', () => {
    let world: World
    let club: Club
    let dear: OwnPlan
    let dearPost: string
    let paid: Joining
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      await takeJobs(world, 'membership.open-plans')
      await runJobs(world)
      world.clock.now = START
      club = await openClub(world)
      dear = await addedPlan(world, club.creator, { name: 'プレミアム', price: 5000 })
      dearPost = await planPost(world, club.creator, dear.id)
      await later()
      paid = await joined(world, club.fan, club.plan.id)
    })

    const edit = async (plan: OwnPlan, change: object) =>
      expect((await call(world, club.creator, 'PATCH', `/plans/${plan.id}`, change)).statusCode).toBe(200)
    /** Ten minutes pass, and the jobs of edits run. */
    async function later(): Promise<void> {
      world.clock.now += 11 * MINUTE
      await runJobs(world)
    }
    const access = (postId = dearPost) => accessOf(world, club.fan, postId)

    const mistakes: readonly (readonly [string, (it: { light: OwnPlan; dear: OwnPlan }) => Promise<void>])[] =
      [
        [
          'a price of the own plan above the dearer one',
          async ({ light }) => {
            await edit(light, { price: 6000 })
            await edit(light, { price: 600 })
          },
        ],
        [
          'a price of the dearer plan below the own one',
          async ({ dear: it }) => {
            await edit(it, { price: 400 })
            world.clock.now += 8 * MINUTE
            await edit(it, { price: 5000 })
          },
        ],
        [
          'a dearer plan below the own one, and a member who is charged meanwhile',
          async ({ dear: it }) => {
            world.clock.now = JANUARY + MINUTE
            await edit(it, { price: 400 })
            await charge(world, paid)
            await sweepMemberships(world.deps)
            await edit(it, { price: 5000 })
          },
        ],
        [
          'an own plan that opens cheaper ones, beside a dearer one below it',
          async ({ light, dear: it }) => {
            await edit(light, { opens_cheaper: false })
            await edit(it, { price: 400 })
            await later()
            await edit(light, { opens_cheaper: true })
            await edit(light, { opens_cheaper: false })
          },
        ],
      ]
    test.each(mistakes)('a mistake of some minutes opens nothing: %s', async (_, make) => {
      await make({ light: club.plan, dear })
      await later()
      await sweepMemberships(world.deps)
      expect(await access()).toBe('plan')
      world.clock.now += 32 * 24 * 60 * MINUTE
      await charge(world, paid)
      expect(await access()).toBe('plan')
    })

    test('a new plan whose low price is corrected within ten minutes opens nothing', async () => {
      const added = await addedPlan(world, club.creator, { name: '新しいプラン', price: 300 })
      const postId = await planPost(world, club.creator, added.id)
      await edit(added, { price: 3000 })
      await later()
      expect(await access(postId)).toBe('plan')
    })

    test('a price that stays opens no dearer plan to who still pays the old one, until they agree to it', async () => {
      await edit(club.plan, { price: 6000 })
      await later()
      expect(await access()).toBe('plan')
      await changeNext(world, club.fan, paid.id, { plan_id: club.plan.id, price: 6000 })
      world.clock.now = JANUARY + MINUTE
      await charge(world, paid, { am: '6000', ta: '6000' })
      expect(await access()).toBe('full')
    })

    test('a dearer plan that stays cheaper than what a member pays is open after ten minutes, and stays so', async () => {
      await edit(dear, { price: 400 })
      expect(await access()).toBe('plan')
      await later()
      expect(await access()).toBe('full')
      await edit(dear, { price: 5000 })
      await later()
      expect(await access()).toBe('full')
    })

    test('a job that was lost is done by the hourly sweep', async () => {
      await edit(dear, { price: 400 })
      await takeJobs(world, 'membership.open-plans')
      await sweepMemberships(world.deps)
      expect(await access()).toBe('plan')
      world.clock.now += 10 * MINUTE
      await sweepMemberships(world.deps)
      expect(await access()).toBe('full')
    })

    test('who joins meanwhile has what the order named', async () => {
      await edit(dear, { price: 400 })
      const other = await signUp(world)
      const order = (await call(world, other, 'GET', `/plans/${club.plan.id}/order`)).json<{
        opens: object[]
      }>()
      expect(order.opens).toMatchObject([{ id: dear.id }])
      await joined(world, other, club.plan.id)
      await edit(dear, { price: 5000 })
      expect(await accessOf(world, other, dearPost)).toBe('full')
    })

    const openings = async (plan: { id: string }, price: number, opensCheaper = true) => {
      const query = `plan_id=${plan.id}&price=${price}&opens_cheaper=${opensCheaper}`
      const reply = await call(world, club.creator, 'GET', `/plans/openings?${query}`)
      return reply
        .json<ReplyOf<typeof listPlanOpenings>>()
        .openings.map((it) => [it.plan.name, it.opened.name, it.members])
    }

    test('an edit names beforehand how many members it opens which plan to', async () => {
      await joined(world, await signUp(world), club.plan.id)
      expect(await openings(dear, 400)).toEqual([[club.plan.name, 'プレミアム', 2]])
      expect(await openings(club.plan, 6000)).toEqual([])
      expect(await openings({ id: newId() }, 300)).toEqual([[club.plan.name, '', 2]])
      expect(await openings(club.plan, 500, false)).toEqual([])
      await edit(dear, { price: 400 })
      await later()
      expect(await openings(dear, 300)).toEqual([])
    })

    test('names nothing of another creator, and refuses what is no offer', async () => {
      const other = await openClub(world)
      const query = `plan_id=${club.plan.id}&price=100&opens_cheaper=true`
      const reply = await call(world, other.creator, 'GET', `/plans/openings?${query}`)
      expect(errorOf(reply).code).toBe('not_found')
      for (const wrong of ['price=0', 'price=x', 'opens_cheaper=maybe', 'plan_id=1'])
        expect(
          errorOf(await call(world, club.creator, 'GET', `/plans/openings?${query}&${wrong}`)).code,
        ).toBe('invalid')
    })
  })
})
