// What the page of the deletion says about a creator's own money.
import { beforeAll, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import { joined, openClub, runJobs } from '#server/testing/memberships/club.ts'
import { soldOnce, storeAccount } from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a creator who opens the page of the deletion', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
      return () => world.close()
    })
    const earningsOf = async (of: Member) => (await call(world, of, 'GET', '/user/deletion')).json().earnings
    const none = { count: 0, amount: 0, cost: 0 }

    test('and has bought posts is told how many close and what was paid, without those that were refunded', async () => {
      const boughtOf = async (of: Member) => (await call(world, of, 'GET', '/user/deletion')).json().bought
      const [buyer, creator] = [await signUp(world), await soldOnce(world, 5000)]
      expect(await boughtOf(buyer)).toEqual({ posts: 0, amount: 0 })
      const prices = [300, 1000, 2000]
      for (const price of prices) await buy(world, buyer, await pricedPost(world, creator, price), price)
      await rowsOf(world, `update payments set state = 'refunded' where user_id = $1 and amount = 2000`, [
        buyer.id,
      ])
      expect(await boughtOf(buyer)).toEqual({ posts: 2, amount: 1300 })
      await leave(world, buyer)
      expect(await boughtOf(buyer)).toEqual({ posts: 2, amount: 1300 })
    })

    test('and has sold nothing and has no plan is told nothing', async () => {
      expect(await earningsOf(await signUp(world))).toBeNull()
    })

    test('is told the balance, what of it can be paid, and the open month, before and while the deletion waits', async () => {
      const creator = await soldOnce(world, 5000)
      await buy(world, await signUp(world), await pricedPost(world, creator, 1000), 1000)
      const figures = {
        balance: 5400,
        available: 4500,
        open_month: 900,
        plans: [],
        refunds: none,
        kept: { posts: 2, buyers: 2 },
      }
      expect(await earningsOf(creator)).toEqual({ ...figures, has_account: false })
      await storeAccount(world, creator)
      await leave(world, creator)
      expect(await earningsOf(creator)).toEqual({ ...figures, has_account: true })
      expect(await emailsTo(world, creator.email)).toContainEqual(
        expect.objectContaining({ is: 'deletion_asked', money: { balance: 5400, isPaid: true } }),
      )
    })

    test('is told the plans with their members, and the refund of months beyond the erasure, as the erasure then makes it', async () => {
      const { creator, plan, fan } = await openClub(world)
      await joined(world, fan, plan.id)
      const before = await earningsOf(creator)
      expect(before).toMatchObject({
        balance: 450,
        available: 0,
        open_month: 450,
        plans: [{ name: plan.name, members: 1 }],
        refunds: { count: 1, amount: 500, cost: 450 },
      })
      await leave(world, creator)
      await runJobs(world)
      expect(await earningsOf(creator)).toEqual(before)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      const [row] = await rowsOf<{ sum: number }>(
        world,
        `select sum(amount)::int as sum from ledger_lines where account = 'creator_payable' and creator_id = $1`,
        [creator.id],
      )
      expect(row?.sum).toBe(before.refunds.cost - before.balance)
    })

    test('is told of a month that ends before the erasure as paid', async () => {
      const { creator, plan, fan } = await openClub(world)
      await joined(world, fan, plan.id)
      world.clock.now += 24 * 24 * 3600_000
      expect((await earningsOf(creator)).refunds).toEqual(none)
    })

    test.each([
      [true, { balance: 900, isPaid: true }],
      [false, { balance: 900, isPaid: false }],
    ])(
      'and has a balance learns in the last email whether it is paid (an account: %s)',
      async (has, money) => {
        const creator = await soldOnce(world, 1000)
        if (has) await storeAccount(world, creator)
        await leave(world, creator)
        world.clock.now += LEAVING_MS
        await deleteDue(world)
        expect(await emailsTo(world, creator.email)).toContainEqual({ is: 'deleted', money })
      },
    )
  })
})
