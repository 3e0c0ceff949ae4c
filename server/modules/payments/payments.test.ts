// Payments of posts over HTTP with the sandbox: paid, expired, surplus, refused, refunded.
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { chargesOf, runRefunds, sale, tasksOf } from '#server/testing/payments/bookings.ts'
import {
  accessOf,
  behave,
  begun,
  notice,
  noticeFields,
  pay,
  REFUSED_CARD,
  rowsOf,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { openShopForEach } from '#server/testing/payments/each-shop.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, type World } from '#server/testing/world.ts'
import { sweepPayments } from './sweep.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a payment of a post', () => {
    let world: World
    let shop: Shop
    let bookings: () => Promise<Readonly<Record<string, number>>>
    openShopForEach(kind, (opened) => ({ world, shop, bookings } = opened))

    const iso = (at: number) => new Date(at).toISOString()
    /** The charges of a payment that paid for nothing, as the return page shows them. */
    const surplusOf = async (as: Member, id: string) =>
      (await call(world, as, 'GET', `/payments/${id}`)).json<{ surplus: unknown[] }>().surplus

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
        call(world, null, 'POST', `/payments/${paymentId}/return`, { session_id: sessionId })
      const asked = await ask(defined(fields['session_id']))
      expect(asked.json()).toEqual({
        state: 'pending',
        kind: 'post',
        card_of: null,
        post_id: postId,
        plan_id: null,
        has_surplus: false,
        surplus: [],
      })
      expect(await accessOf(world, buyer, postId)).toBe('purchase')
      const wrong = [await ask('x'), await ask(''), await ask(defined(fields['session_id']), newId())]
      expect(wrong.map((it) => it.statusCode)).toEqual([404, 404, 404])
      await pay(world, fields)
      expect((await ask(defined(fields['session_id']))).json().state).toBe('paid')
    })

    test('the return page of an earlier version learns the same by its query', async () => {
      const { id, fields } = await begun(world, shop.buyer, shop.postId)
      const ask = (sessionId: string | undefined) =>
        call(world, null, 'GET', `/payments/${id}/return?session_id=${sessionId}`)
      const body = { session_id: fields['session_id'] }
      const now = await call(world, null, 'POST', `/payments/${id}/return`, body)
      const earlier = await ask(fields['session_id'])
      expect([earlier.statusCode, earlier.json()]).toEqual([200, now.json()])
      expect((await ask('x')).statusCode).toBe(404)
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

    test('a second charge of one payment is surplus and goes back', async () => {
      const { buyer, postId } = shop
      const payment = await begun(world, buyer, postId)
      await notice(world, noticeFields(payment.fields))
      await notice(world, noticeFields(payment.fields))
      expect((await chargesOf(world, payment.id)).map((it) => it.is_surplus)).toEqual([false, true])
      expect(await bookings()).toEqual({ ...sale, provider_receivable: 1000, refunds: -500 })
      expect(await tasksOf(world, payment.id)).toEqual([{ kind: 'refund_surplus', done: false }])
      await runRefunds(world)
      expect(await tasksOf(world, payment.id)).toEqual([{ kind: 'refund_surplus', done: true }])
      expect([await bookings(), await accessOf(world, buyer, postId)]).toEqual([sale, 'full'])
      expect(await surplusOf(buyer, payment.id)).toEqual([
        expect.objectContaining({ amount: 500, reason: 'bought', returned_at: expect.any(String) }),
      ])
    })

    test('of two payments for one post, at once or one after the other, the second is surplus', async () => {
      const { buyer, postId } = shop
      const one = await begun(world, buyer, postId)
      world.clock.now += PAYMENT_OPEN_MS
      const two = await begun(world, buyer, postId)
      expect(two.id).not.toBe(one.id)
      await Promise.all([one, two].map(({ fields }) => notice(world, noticeFields(fields))))
      const surplus = [...(await chargesOf(world, one.id)), ...(await chargesOf(world, two.id))].map(
        (it) => it.is_surplus,
      )
      expect(surplus.toSorted()).toEqual([false, true])
      await runRefunds(world)
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

    test('a charge of a post that was deleted meanwhile goes back', async () => {
      const { buyer, creator, postId } = shop
      const payment = await begun(world, buyer, postId)
      expect((await call(world, creator, 'DELETE', `/posts/${postId}`)).statusCode).toBeLessThan(300)
      await notice(world, noticeFields(payment.fields))
      expect(await chargesOf(world, payment.id)).toMatchObject([{ is_surplus: true }])
      const charged = { amount: 500, reason: 'gone', charged_at: iso(world.clock.now) }
      expect(await surplusOf(buyer, payment.id)).toEqual([{ ...charged, returned_at: null }])
      expect(await emailsTo(world, buyer.email)).toContainEqual(
        expect.objectContaining({
          is: 'surplus',
          of: 'post',
          amount: 500,
          reason: 'gone',
          paymentId: payment.id,
        }),
      )
      world.clock.now += 60_000
      await runRefunds(world)
      expect(await bookings()).toEqual({})
      const returned = { ...charged, returned_at: iso(world.clock.now) }
      expect(await surplusOf(buyer, payment.id)).toEqual([returned])
      const listed = (await call(world, buyer, 'GET', '/payments/surplus')).json()
      expect(listed.charges).toEqual([
        expect.objectContaining({ ...returned, payment_id: payment.id, kind: 'post' }),
      ])
      expect((await call(world, creator, 'GET', '/payments/surplus')).json()).toEqual({ charges: [] })
      expect(errorOf(await call(world, null, 'GET', '/payments/surplus')).code).toBe('unauthenticated')
    })

    test('a charge of a post that became free meanwhile goes back', async () => {
      const { buyer, creator, postId } = shop
      const payment = await begun(world, buyer, postId)
      await call(world, creator, 'PATCH', `/posts/${postId}`, { audience: { type: 1 } })
      await notice(world, noticeFields(payment.fields))
      expect(await surplusOf(buyer, payment.id)).toMatchObject([{ reason: 'open' }])
      await runRefunds(world)
      expect(await bookings()).toEqual({})
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
      await runRefunds(world)
      expect([await bookings(), await tasksOf(world, payment.id)]).toEqual([
        {},
        [{ kind: 'refund', done: true }],
      ])
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
