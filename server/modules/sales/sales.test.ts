// Sums of a creator's sales, before and after their days are closed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { addedPlan, joined } from '#server/testing/memberships/club.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { openShop, pricedPost, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { closeAt, entriesOf, inTokyo, salesOf } from '#server/testing/payments/sold.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('sales', () => {
    let world: World
    let shop: Shop
    let fan: Member
    let planId: string
    let dearPost: string
    let refunded: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-05T12:00')
      shop = await openShop(world)
      fan = await signUp(world)
      planId = (await addedPlan(world, shop.creator, { price: 1000 })).id
      dearPost = await pricedPost(world, shop.creator, 3000)
      await buy(world, shop.buyer, shop.postId)
      // In UTC this is the evening before.
      world.clock.now = inTokyo('2026-11-06T08:00')
      refunded = await buy(world, fan, shop.postId)
      await buy(world, fan, dearPost, 3000)
      world.clock.now = inTokyo('2026-11-08T00:00')
      await joined(world, fan, planId, 1000)
      world.clock.now = inTokyo('2026-11-20T23:59')
      await refundPayment(world.deps, refunded, { actorId: shop.creator.id, ip: '' })
    })
    afterAll(() => world.close())

    const november = {
      plans: 1000,
      posts: 4000,
      refunds: 500,
      fee: 410,
      fee_tax: 40,
      net: 4050,
      paid_out: 0,
      sold: 4,
      refunded: 1,
    }

    test('of a month have its figures, days, items and members', async () => {
      const sales = await salesOf(world, shop.creator)
      expect(sales).toMatchObject({ month: '2026-11', first_month: '2026-11', figures: november })
      expect(sales.days).toEqual([
        { day: '2026-11-05', sales: 500, refunds: 0, net: 450 },
        { day: '2026-11-06', sales: 3500, refunds: 0, net: 3150 },
        { day: '2026-11-08', sales: 1000, refunds: 0, net: 900 },
        { day: '2026-11-20', sales: 0, refunds: 500, net: -450 },
      ])
      expect(sales.items).toEqual([
        { kind: 'post', id: dearPost, title: '有料の投稿です', sold: 1, sales: 3000, refunds: 0, net: 2700 },
        { kind: 'plan', id: planId, title: '夜の部屋', sold: 1, sales: 1000, refunds: 0, net: 900 },
        {
          kind: 'post',
          id: shop.postId,
          title: '有料の投稿です',
          sold: 2,
          sales: 1000,
          refunds: 500,
          net: 450,
        },
      ])
      expect(sales.members).toEqual({
        before: 0,
        joined: 1,
        left: 0,
        plans: [{ id: planId, name: '夜の部屋', before: 0, joined: 1, left: 0 }],
      })
      expect(sales.months).toHaveLength(12)
      expect(sales.months.at(-1)).toEqual({ month: '2026-11', sales: 5000, refunds: 500, net: 4050 })
    })

    test('cannot be paid out before their month is closed', async () => {
      expect((await salesOf(world, shop.creator)).balance).toEqual({ total: 4050, available: 0 })
    })

    test('are the same after their days are closed, and one is closed an hour after its end', async () => {
      const open = await salesOf(world, shop.creator, '2026-11')
      await closeAt(world, '2026-11-21T00:59')
      const lastClosed = async () =>
        (await rowsOf<{ day: string }>(world, 'select max(day)::text as day from ledger_closed_days'))[0]?.day
      expect(await lastClosed()).toBe('2026-11-19')
      expect(await salesOf(world, shop.creator, '2026-11')).toEqual(open)
      await closeAt(world, '2026-11-21T01:00')
      expect(await lastClosed()).toBe('2026-11-20')
      expect(await salesOf(world, shop.creator, '2026-11')).toEqual(open)
      await closeAt(world, '2026-11-21T02:00')
      expect(await salesOf(world, shop.creator, '2026-11')).toEqual(open)
    })

    test('of a server whose clock is late are booked after the last closed day', async () => {
      world.clock.now = inTokyo('2026-11-20T12:00')
      const late = await signUp(world)
      await buy(world, late, shop.postId)
      const { days } = await salesOf(world, shop.creator, '2026-11')
      expect(days.at(-1)).toEqual({ day: '2026-11-21', sales: 500, refunds: 0, net: 450 })
    })

    test('belong to another month at midnight in Tokyo', async () => {
      world.clock.now = inTokyo('2026-12-01T00:00')
      await buy(world, await signUp(world), shop.postId)
      const { figures, months } = await salesOf(world, shop.creator)
      expect(figures).toMatchObject({ posts: 500, sold: 1 })
      expect(months.slice(-2).map((it) => it.sales)).toEqual([5500, 500])
    })

    test('have entries by month, day, kind and item', async () => {
      const entries = async (query: string) =>
        (await entriesOf(world, shop.creator, query)).entries.map((it) => [it.cause, it.amount, it.net])
      expect(await entries('month=2026-11&kind=plan')).toEqual([['sale', 1000, 900]])
      expect(await entries('day=2026-11-06')).toEqual([
        ['sale', 3000, 2700],
        ['sale', 500, 450],
      ])
      expect(await entries(`month=2026-11&item=${shop.postId}`)).toEqual([
        ['sale', 500, 450],
        ['refund', -500, -450],
        ['sale', 500, 450],
        ['sale', 500, 450],
      ])
      const [newest] = (await entriesOf(world, shop.creator, `item=${dearPost}`)).entries
      expect(newest).toMatchObject({
        kind: 'post',
        item: { id: dearPost, title: '有料の投稿です' },
        fee: 273,
        fee_tax: 27,
      })
    })

    test('are seen by their creator alone', async () => {
      expect((await salesOf(world, fan)).figures).toMatchObject({ plans: 0, posts: 0, net: 0 })
      expect((await salesOf(world, fan)).first_month).toBeNull()
      expect((await entriesOf(world, fan, `item=${shop.postId}`)).entries).toEqual([])
      expect(errorOf(await call(world, null, 'GET', '/sales')).code).toBe('unauthenticated')
      expect(errorOf(await call(world, null, 'GET', '/sales/entries.csv')).code).toBe('unauthenticated')
    })

    test.each(['month=2026-13', 'month=x', "month=2026-11' or 1=1", 'month=0000-01'])(
      'with %j are refused',
      async (query) => {
        const reply = await call(world, shop.creator, 'GET', `/sales?${query}`)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
      },
    )
  })
})
