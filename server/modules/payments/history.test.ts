// The purchase history: pages, filters by month and creator, and what stays in it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { eraseRows } from '#server/store/accounts/erasure.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { buy, filtersOf, historyOf, purchasesOf } from '#server/testing/payments/bought.ts'
import {
  begun,
  notice,
  noticeFields,
  openShop,
  pricedPost,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const SECOND = 1000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a purchase history', () => {
    let world: World
    let shop: Shop
    let start: number
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      start = world.clock.now
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      world.clock.now = start
      shop = await openShop(world)
    })

    const nameOf = async ({ id }: Member) =>
      (await rowsOf<{ name: string }>(world, 'select name from users where id = $1', [id]))[0]?.name
    const ids = async (as: Member, query = '') => (await purchasesOf(world, as, query)).map((it) => it.id)

    test('lists what was paid, with creator, post and amount', async () => {
      const id = await buy(world, shop.buyer, shop.postId)
      const { creator } = shop
      expect(await historyOf(world, shop.buyer)).toEqual({
        payments: [
          {
            id,
            kind: 'post',
            post: { id: shop.postId },
            creator: { id: creator.id, name: await nameOf(creator) },
            amount: 500,
            state: 'paid',
            paid_at: new Date(start).toISOString(),
            refunded_at: null,
            refunded_amount: 0,
            receipt: false,
          },
        ],
        next: null,
      })
    })

    test('has neither open and refused payments nor purchases without a payment', async () => {
      const { buyer, creator } = shop
      const { fields } = await begun(world, buyer, shop.postId)
      await notice(world, { ...noticeFields(fields), rst: '2' })
      await begun(world, buyer, await pricedPost(world, creator))
      await addPurchase(world.deps.db, await pricedPost(world, creator), buyer.id, 0, start)
      expect(await historyOf(world, buyer)).toEqual({ payments: [], next: null })
      expect(await filtersOf(world, buyer)).toEqual({ months: [], creators: [] })
    })

    test('is the own one, and closed to visitors', async () => {
      const other = await signUp(world)
      await buy(world, shop.buyer, shop.postId)
      expect([await ids(other), await ids(shop.creator)]).toEqual([[], []])
      expect(await filtersOf(world, other)).toEqual({ months: [], creators: [] })
      expect(await ids(other, `creator=${shop.creator.id}`)).toEqual([])
      for (const path of ['/payments', '/payments/filters'])
        expect(errorOf(await call(world, null, 'GET', path)).code).toBe('unauthenticated')
    })

    test('has its months and creators by the time in Tokyo', async () => {
      world.clock.now = Date.parse('2027-10-31T14:00:00.000Z')
      const { buyer, creator } = await openShop(world)
      const other = await identify(world, await signUp(world))
      const bought: string[] = []
      // The last moment of October in Tokyo, the first and the last one of November, the first one of December.
      const moments = [
        '2027-10-31T14:59:59.999Z',
        '2027-10-31T15:00:00.000Z',
        '2027-11-30T14:59:59.999Z',
        '2027-11-30T15:00:00.000Z',
      ]
      for (const [n, at] of moments.entries()) {
        world.clock.now = Date.parse(at)
        bought.push(await buy(world, buyer, await pricedPost(world, n === 2 ? other : creator)))
      }
      const [october, first, last, december] = bought
      expect(await ids(buyer)).toEqual([december, last, first, october])
      expect(await ids(buyer, 'month=2027-10')).toEqual([october])
      expect(await ids(buyer, 'month=2027-11')).toEqual([last, first])
      expect(await ids(buyer, 'month=2027-12')).toEqual([december])
      expect(await ids(buyer, 'month=2028-11')).toEqual([])
      expect(await ids(buyer, `month=2027-11&creator=${creator.id}`)).toEqual([first])
      expect(await ids(buyer, `creator=${other.id}`)).toEqual([last])
      expect(await ids(buyer, `creator=${newId()}`)).toEqual([])
      const { months, creators } = await filtersOf(world, buyer)
      expect(months).toEqual(['2027-12', '2027-11', '2027-10'])
      expect(creators.map((it) => it.id).toSorted()).toEqual([creator.id, other.id].toSorted())
    })

    test.each(['month=2026-13', 'month=2026-1', 'month=', 'creator=x', 'cursor=x'])(
      'refuses "%s"',
      async (query) => {
        const reply = await call(world, shop.buyer, 'GET', `/payments?${query}`)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
      },
    )

    test('comes in pages of 30, also where moments are equal', async () => {
      const { buyer, creator } = shop
      for (let n = 0; n < 32; n++) {
        world.clock.now = start + Math.floor(n / 4) * SECOND
        await buy(world, buyer, await pricedPost(world, creator))
      }
      const one = await historyOf(world, buyer)
      const two = await historyOf(world, buyer, `cursor=${one.next}`)
      expect([one.payments.length, two.payments.length, two.next]).toEqual([30, 2, null])
      const all = [...one.payments, ...two.payments]
      expect(new Set(all.map((it) => it.id)).size).toBe(32)
      expect(all.map((it) => it.paid_at)).toEqual(
        all
          .map((it) => it.paid_at)
          .toSorted()
          .toReversed(),
      )
    })

    test('says when a purchase was refunded', async () => {
      const id = await buy(world, shop.buyer, shop.postId)
      world.clock.now += SECOND
      await refundPayment(world.deps, id, { actorId: newId(), ip: '192.0.2.1' })
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([
        { id, state: 'refunded', refunded_at: new Date(start + SECOND).toISOString() },
      ])
      await rowsOf(world, `update payments set state = 'disputed' where id = $1`, [id])
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([{ id, state: 'disputed' }])
    })

    test('keeps a purchase whose post was removed by its creator', async () => {
      const id = await buy(world, shop.buyer, shop.postId)
      await rowsOf(world, 'update posts set deleted_at = now() where id = $1', [shop.postId])
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([{ id, post: null, amount: 500 }])
      await rowsOf(world, 'update payments set post_id = null where id = $1', [id])
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([{ id, post: null, amount: 500 }])
    })

    test('keeps a purchase from a creator who is blocked, with a link to the post until a refund', async () => {
      const { buyer, creator, postId } = shop
      const id = await buy(world, buyer, postId)
      const kept = { id, post: { id: postId }, creator: { id: creator.id, name: await nameOf(creator) } }
      for (const [one, two] of [
        [buyer, creator],
        [creator, buyer],
      ] as const) {
        await call(world, one, 'PUT', `/blocks/${two.id}`)
        expect(await purchasesOf(world, buyer)).toMatchObject([kept])
        await call(world, one, 'DELETE', `/blocks/${two.id}`)
      }
      await call(world, creator, 'PUT', `/blocks/${buyer.id}`)
      await rowsOf(world, `update payments set state = 'refunded', refunded_at = paid_at where id = $1`, [id])
      expect(await purchasesOf(world, buyer)).toMatchObject([{ id, post: null }])
    })

    test('keeps a purchase from a creator who has left', async () => {
      const { buyer, creator } = shop
      const id = await buy(world, buyer, shop.postId)
      const name = await nameOf(creator)
      await leave(world, creator)
      expect(await purchasesOf(world, buyer)).toMatchObject([
        { id, post: { id: shop.postId }, creator: { name } },
      ])
      await world.deps.transaction(({ tx }) => eraseRows(tx, creator, world.clock.now))
      const gone = { id: creator.id, name: '退会したユーザー' }
      const kept = { id, post: { id: shop.postId }, creator: gone, amount: 500 }
      expect(await purchasesOf(world, buyer)).toMatchObject([kept])
      expect((await filtersOf(world, buyer)).creators).toEqual([gone])
    })
  })
})
