// Payments over HTTP with the sandbox: notices before, after, late, repeated, lost.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { returnCharge } from '#server/services/payments/refund.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { emailsTo, takeJobs } from '#server/testing/people/emails.ts'
import {
  accessOf,
  behave,
  begun,
  ledgerOf,
  notice,
  noticeFields,
  openShop,
  outcomesOf,
  pay,
  REFUSED_CARD,
  rowsOf,
  sendDueNotices,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepPayments } from './sweep.ts'

const HOUR = 3600_000
const sale = { provider_receivable: 500, creator_payable: -450, platform_fee: -46, fee_tax: -4 }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a payment of a post', () => {
    let world: World
    let shop: Shop
    beforeAll(async () => {
      world = await openWorld({ database: kind, listen: true })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      await behave(world)
      shop = await openShop(world)
      before = await ledgerOf(world)
    })
    afterEach(async () => {
      // Throws where the sum is not zero.
      await ledgerOf(world)
    })

    let before: Readonly<Record<string, number>>
    /** What the ledger has more than at the start of the test. */
    async function bookings(): Promise<Record<string, number>> {
      const now = await ledgerOf(world)
      const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
      const changed = names.map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const)
      return Object.fromEntries(changed.filter(([, sum]) => sum !== 0))
    }
    const chargesOf = (paymentId: string) =>
      rowsOf<{ gid: string; is_surplus: boolean }>(
        world,
        'select gid, is_surplus from charges where payment_id = $1 order by id',
        [paymentId],
      )
    const tasksOf = (paymentId: string) =>
      rowsOf<{ kind: string; done: boolean }>(
        world,
        'select kind, done_at is not null as done from operator_tasks where payment_id = $1 order by id',
        [paymentId],
      )
    const runRefunds = async () => {
      for (const it of await takeJobs(world, 'payment.refund')) await returnCharge(world.deps, it.chargeId)
    }

    test('opens the post by the notice, with one sale in the ledger, a notification and an email', async () => {
      const { buyer, creator, postId } = shop
      const payment = await begun(world, buyer, postId)
      expect([payment.state, payment.amount]).toEqual(['pending', 500])
      expect(await accessOf(world, buyer, postId)).toBe('purchase')
      const reply = await pay(world, payment.fields)
      expect([reply.statusCode, reply.headers.location]).toEqual([
        303,
        `/payment/return?payment_id=${payment.id}&session_id=${payment.fields['session_id']}`,
      ])
      expect([await accessOf(world, buyer, postId), await stateOf(world, buyer, payment.id)]).toEqual([
        'full',
        'paid',
      ])
      expect(await bookings()).toEqual(sale)
      const [email] = await emailsTo(world, buyer.email)
      expect(email).toMatchObject({ is: 'purchase', amount: 500, paymentId: payment.id })
      const { notifications } = (await call(world, creator, 'GET', '/notifications')).json()
      expect(JSON.stringify(notifications)).toContain('buy_post')
    })

    test('the return page learns the state by the session_id alone, and grants nothing', async () => {
      const { buyer, postId } = shop
      const { id, fields } = await begun(world, buyer, postId)
      const ask = (sessionId: string, paymentId = id) =>
        call(world, null, 'GET', `/payments/${paymentId}/return?session_id=${sessionId}`)
      const asked = await ask(fields['session_id'] ?? '')
      expect(asked.json()).toEqual({
        state: 'pending',
        kind: 'post',
        post_id: postId,
        plan_id: null,
        has_surplus: false,
      })
      expect(await accessOf(world, buyer, postId)).toBe('purchase')
      const wrong = [await ask('x'), await ask(''), await ask(fields['session_id'] ?? '', newId())]
      expect(wrong.map((it) => it.statusCode)).toEqual([404, 404, 404])
      await pay(world, fields)
      expect((await ask(fields['session_id'] ?? '')).json().state).toBe('paid')
    })

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

    test('without a notice the payment expires, and a late one still pays it', async () => {
      const { buyer, postId } = shop
      await behave(world, { lose: true })
      const payment = await begun(world, buyer, postId)
      await pay(world, payment.fields)
      world.clock.now += PAYMENT_OPEN_MS
      expect(await stateOf(world, buyer, payment.id)).toBe('expired')
      await sweepPayments(world.deps)
      const [row] = await rowsOf<{ state: string }>(world, 'select state from payments where id = $1', [
        payment.id,
      ])
      expect([row?.state, await accessOf(world, buyer, postId)]).toEqual(['expired', 'purchase'])
      await notice(world, noticeFields(payment.fields))
      expect([await stateOf(world, buyer, payment.id), await accessOf(world, buyer, postId)]).toEqual([
        'paid',
        'full',
      ])
    })

    test('twenty copies of a notice at once are one sale, and all are answered with success', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      const copy = noticeFields(payment.fields)
      const replies = await Promise.all(Array.from({ length: 20 }, () => notice(world, copy)))
      expect(new Set(replies.map((it) => it.statusCode))).toEqual(new Set([200]))
      expect(await accessOf(world, buyer, postId)).toBe('full')
      expect(await chargesOf(payment.id)).toHaveLength(1)
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
      expect((await chargesOf(payment.id)).length).toBe(1)
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

    test('a second charge of one payment is surplus and goes back', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      await notice(world, noticeFields(payment.fields))
      await notice(world, noticeFields(payment.fields))
      expect((await chargesOf(payment.id)).map((it) => it.is_surplus)).toEqual([false, true])
      expect(await bookings()).toEqual({ ...sale, provider_receivable: 1000, refunds: -500 })
      expect(await tasksOf(payment.id)).toEqual([{ kind: 'refund_surplus', done: false }])
      await runRefunds()
      expect(await tasksOf(payment.id)).toEqual([{ kind: 'refund_surplus', done: true }])
      expect([await bookings(), await accessOf(world, buyer, postId)]).toEqual([sale, 'full'])
    })

    test('of two payments for one post, at once or one after the other, the second is surplus', async () => {
      const { buyer, postId } = shop
      const one = await begun(world, buyer, postId)
      world.clock.now += PAYMENT_OPEN_MS
      const two = await begun(world, buyer, postId)
      expect(two.id).not.toBe(one.id)
      await Promise.all([one, two].map(({ fields }) => notice(world, noticeFields(fields))))
      const surplus = [...(await chargesOf(one.id)), ...(await chargesOf(two.id))].map((it) => it.is_surplus)
      expect(surplus.toSorted()).toEqual([false, true])
      await runRefunds()
      expect([await bookings(), await accessOf(world, buyer, postId)]).toEqual([sale, 'full'])
      const seen = (await call(world, buyer, 'GET', `/payments/${two.id}`)).json()
      const other = (await call(world, buyer, 'GET', `/payments/${one.id}`)).json()
      expect([seen.has_surplus, other.has_surplus].toSorted()).toEqual([false, true])
    })

    test('a refused card opens nothing, and another card pays the same form', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      const page = await pay(world, payment.fields, REFUSED_CARD)
      expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('使えませんでした')])
      expect([await stateOf(world, buyer, payment.id), await accessOf(world, buyer, postId)]).toEqual([
        'refused',
        'purchase',
      ])
      await pay(world, payment.fields)
      expect([await stateOf(world, buyer, payment.id), await bookings()]).toEqual(['paid', sale])
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
      expect([await bookings(), await chargesOf(payment.id)]).toEqual([{}, []])
      expect(await tasksOf(payment.id)).toEqual([{ kind: 'notice_mismatch', done: false }])
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
      expect([await accessOf(world, other, shop.postId), await chargesOf(two.id)]).toEqual(['purchase', []])
      expect(await tasksOf(two.id)).toEqual([{ kind: 'notice_mismatch', done: false }])
    })

    test('a charge of a post that was deleted meanwhile goes back', async () => {
      const { buyer, creator, postId } = shop
      const payment = await begun(world, buyer, postId)
      expect((await call(world, creator, 'DELETE', `/posts/${postId}`)).statusCode).toBeLessThan(300)
      await notice(world, noticeFields(payment.fields))
      expect(await chargesOf(payment.id)).toMatchObject([{ is_surplus: true }])
      await runRefunds()
      expect(await bookings()).toEqual({})
    })

    test('a notice that was stored before a crash is handled by the job, once', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      const id = newId()
      const query = new URLSearchParams(noticeFields(payment.fields)).toString()
      await rowsOf(
        world,
        `insert into payment_notices (id, provider, gid, kind, raw, digest, remote_address, received_at)
         values ($1, 'sandbox', $2, '1', $3, $2, '127.0.0.1', $4)`,
        [id, newId(), query, new Date(world.clock.now).toISOString()],
      )
      world.clock.now += HOUR
      await takeJobs(world, 'payment.notice')
      await sweepPayments(world.deps)
      expect(await takeJobs(world, 'payment.notice')).toEqual([{ noticeId: id }])
      const handled = await Promise.all([handleNotice(world.deps, id), handleNotice(world.deps, id)])
      expect(handled.filter((it) => it !== undefined)).toMatchObject([{ outcome: 'granted' }])
      expect([await accessOf(world, buyer, postId), await bookings()]).toEqual(['full', sale])
    })

    test('a refund closes the post, reverses the sale and returns the money', async () => {
      const { buyer, creator, postId } = shop
      const payment = await begun(world, buyer, postId)
      await notice(world, noticeFields(payment.fields))
      const by = { actorId: creator.id, ip: '' }
      const refunded = [
        await refundPayment(world.deps, payment.id, by),
        await refundPayment(world.deps, payment.id, by),
      ]
      expect(refunded).toEqual([true, false])
      expect([await accessOf(world, buyer, postId), await stateOf(world, buyer, payment.id)]).toEqual([
        'purchase',
        'refunded',
      ])
      expect(await bookings()).toEqual({ provider_receivable: 500, refunds: -500 })
      await runRefunds()
      expect([await bookings(), await tasksOf(payment.id)]).toEqual([{}, [{ kind: 'refund', done: true }]])
      const again = await begun(world, buyer, postId)
      await notice(world, noticeFields(again.fields))
      expect([await accessOf(world, buyer, postId), await bookings()]).toEqual(['full', sale])
    })

    test('an unpaid payment cannot be refunded', async () => {
      const payment = await begun(world, shop.buyer, shop.postId)
      expect(await refundPayment(world.deps, payment.id, { actorId: shop.creator.id, ip: '' })).toBe(false)
      expect(await bookings()).toEqual({})
    })

    test('a payment is seen by its owner only', async () => {
      const payment = await begun(world, shop.buyer, shop.postId)
      const others = [shop.creator, await signUp(world)]
      for (const it of others)
        expect(errorOf(await call(world, it, 'GET', `/payments/${payment.id}`)).code).toBe('not_found')
      expect(errorOf(await call(world, null, 'GET', `/payments/${payment.id}`)).code).toBe('unauthenticated')
    })
  })
})
