// Limits of members, and blocks, when the charges of several buyers come at once.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { LATE_NOTICE_MS, PAST_DUE_MS } from '#server/rules/money/membership.ts'
import { listDue } from '#server/store/memberships/memberships.ts'
import {
  cancel,
  charge,
  joined,
  joining,
  membershipOf,
  openClub,
  runJobs,
} from '#server/testing/memberships/club.ts'
import { ledgerOf, outcomesOf } from '#server/testing/payments/shop.ts'
import { call, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const grace = { active: LATE_NOTICE_MS, pastDue: PAST_DUE_MS }

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the first charge of a plan', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(() => runJobs(world))

    test('makes no more members than the limit, also when several come at once', async () => {
      const { plan } = await openClub(world, { member_limit: 2 })
      const fans = await Promise.all(Array.from({ length: 8 }, () => signUp(world)))
      const forms = await Promise.all(fans.map((it) => joining(world, it, plan.id)))
      const before = (await outcomesOf(world)).length
      await Promise.all(forms.map((it) => charge(world, it)))
      const outcomes = (await outcomesOf(world)).slice(before)
      expect(outcomes.filter((it) => it === 'granted')).toHaveLength(2)
      expect(outcomes.filter((it) => it === 'surplus')).toHaveLength(6)
      await runJobs(world)
      expect((await ledgerOf(world))['refunds']).toBeUndefined()
    })

    test('that is not followed in time keeps no sweep from memberships that are over', async () => {
      const { clock, deps } = world
      // Noon in Tokyo: both join on one day, whenever this runs.
      clock.now = Math.ceil(clock.now / DAY) * DAY + 3 * 3600_000
      const { plan } = await openClub(world)
      const [waits, leaves] = [await signUp(world), await signUp(world)]
      const first = await joined(world, waits, plan.id)
      clock.now += 3600_000
      const second = await joined(world, leaves, plan.id)
      await cancel(world, leaves, second.id)
      clock.now = Date.parse(defined((await membershipOf(world, waits))?.paid_until))
      // Memberships of earlier tests may be due too: a month that is begun after the 28th has another length.
      const due = await listDue(deps.db, clock.now, grace, 100)
      expect([due.includes(first.id), due.includes(second.id)]).toEqual([false, true])
      clock.now += 2 * DAY
      expect(await listDue(deps.db, clock.now, grace, 100)).toEqual(
        expect.arrayContaining([first.id, second.id]),
      )
    })

    test('of a person whom the creator has blocked in between is returned', async () => {
      const { plan, creator, fan } = await openClub(world)
      const it = await joining(world, fan, plan.id)
      await call(world, creator, 'PUT', `/blocks/${fan.id}`)
      await charge(world, it)
      expect((await outcomesOf(world)).at(-1)).toBe('surplus')
      expect(await membershipOf(world, fan)).toBeUndefined()
    })
  })
})
