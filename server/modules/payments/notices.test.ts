// Notices of payments: late, repeated, out of order, forged, and left by a crash.
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { chargesOf, sale, tasksOf } from '#server/testing/payments/bookings.ts'
import {
  accessOf,
  behave,
  begun,
  notice,
  noticeFields,
  outcomesOf,
  pay,
  REFUSED_CARD,
  rowsOf,
  sendDueNotices,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { openShopForEach } from '#server/testing/payments/each-shop.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import { signUp } from '#server/testing/people/members.ts'
import { databases, type World } from '#server/testing/world.ts'
import { sweepPayments } from './sweep.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a notice of a payment', () => {
    let world: World
    let shop: Shop
    let bookings: () => Promise<Readonly<Record<string, number>>>
    openShopForEach(kind, (opened) => ({ world, shop, bookings } = opened))

    test('a notice after an hour, after the return, opens the post', async () => {
      const { buyer, postId } = shop
      await behave(world, { delay: 3600 })
      const payment = await begun(world, buyer, postId)
      await pay(world, payment.fields)
      await sendDueNotices(world)
      expect(await accessOf(world, buyer, postId)).toBe('purchase')
      world.clock.now += HOUR
      await sendDueNotices(world)
      expect(await accessOf(world, buyer, postId)).toBe('full')
    })

    test('twenty copies of a notice at once are one sale, and all are answered with success', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      const copy = noticeFields(payment.fields)
      const replies = await Promise.all(Array.from({ length: 20 }, () => notice(world, copy)))
      expect(new Set(replies.map((it) => it.statusCode))).toEqual(new Set([200]))
      expect(await accessOf(world, buyer, postId)).toBe('full')
      expect(await chargesOf(world, payment.id)).toHaveLength(1)
      expect(await bookings()).toEqual(sale)
      expect(await emailsTo(world, buyer.email)).toHaveLength(1)
    })

    test('other notices of the same charge at once change nothing either', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      const gid = newId()
      const copies = Array.from({ length: 10 }, (_, i) => ({
        ...noticeFields(payment.fields, gid),
        ap: String(i),
      }))
      await Promise.all(copies.map((it) => notice(world, it)))
      expect((await chargesOf(world, payment.id)).length).toBe(1)
      expect((await outcomesOf(world)).slice(-10).toSorted()).toEqual([
        'granted',
        ...copies.slice(1).map(() => 'unchanged'),
      ])
      expect(await bookings()).toEqual(sale)
    })

    test('a notice that the sandbox repeats is one sale', async () => {
      await behave(world, { copies: 5 })
      const payment = await begun(world, shop.buyer, shop.postId)
      await pay(world, payment.fields)
      expect([await accessOf(world, shop.buyer, shop.postId), await bookings()]).toEqual(['full', sale])
    })

    test('a charge before the late notice of a refused card stays paid', async () => {
      const { buyer, postId } = shop
      await behave(world, { reorder: true })
      const payment = await begun(world, buyer, postId)
      await pay(world, payment.fields, REFUSED_CARD)
      expect(await stateOf(world, buyer, payment.id)).toBe('pending')
      await pay(world, payment.fields)
      expect((await outcomesOf(world)).slice(-2)).toEqual(['granted', 'card_refused'])
      expect([await stateOf(world, buyer, payment.id), await accessOf(world, buyer, postId)]).toEqual([
        'paid',
        'full',
      ])
    })

    test.each([
      ['a falsified amount', { amount: 1 }, 'refused:amount'],
      ['a falsified store', { store: 'other' }, 'refused:store'],
    ])('%s opens nothing and alerts the operator', async (_, behaviour, outcome) => {
      await behave(world, behaviour)
      const payment = await begun(world, shop.buyer, shop.postId)
      await pay(world, payment.fields)
      expect((await outcomesOf(world)).at(-1)).toBe(outcome)
      expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
      expect([await bookings(), await chargesOf(world, payment.id)]).toEqual([{}, []])
      expect(await tasksOf(world, payment.id)).toEqual([{ kind: 'notice_mismatch', done: false }])
    })

    test('a true notice after a forged one with the same number opens the post', async () => {
      const payment = await begun(world, shop.buyer, shop.postId)
      const right = noticeFields(payment.fields)
      await notice(world, { ...right, am: '1', ta: '1' })
      expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
      await notice(world, right)
      expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
    })

    test('the number of another payment’s charge is foreign', async () => {
      const gid = newId()
      const one = await begun(world, shop.buyer, shop.postId)
      await notice(world, noticeFields(one.fields, gid))
      const other = await signUp(world)
      const two = await begun(world, other, shop.postId)
      await notice(world, noticeFields(two.fields, gid))
      expect((await outcomesOf(world)).at(-1)).toBe('foreign')
      expect([await accessOf(world, other, shop.postId), await chargesOf(world, two.id)]).toEqual([
        'purchase',
        [],
      ])
      expect(await tasksOf(world, two.id)).toEqual([{ kind: 'notice_mismatch', done: false }])
    })

    test('a notice that was stored before a crash is handled by the job, once', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      await rowsOf(world, 'alter table charges rename to charges_away')
      await notice(world, noticeFields(payment.fields))
      await rowsOf(world, 'alter table charges_away rename to charges')
      const [stored] = await rowsOf<{ id: string }>(
        world,
        'select id from payment_notices where handled_at is null',
      )
      const id = defined(stored?.id)
      world.clock.now += HOUR
      await takeJobs(world, 'payment.notice')
      await sweepPayments(world.deps)
      expect(await takeJobs(world, 'payment.notice')).toEqual([{ noticeId: id }])
      const handled = await Promise.all([handleNotice(world.deps, id), handleNotice(world.deps, id)])
      expect(handled.filter((it) => it !== undefined)).toMatchObject([{ outcome: 'granted' }])
      expect([await accessOf(world, buyer, postId), await bookings()]).toEqual(['full', sale])
    })
  })
})
