// Beginning a payment: who may buy what, once, at which price, and how often.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { defined } from '#contract/testing/defined.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { leave } from '#server/testing/people/leaving.ts'
import {
  begin,
  begun,
  type BegunPayment,
  fieldsOf,
  notice,
  noticeFields,
  openShop,
  pay,
  pricedPost,
  REFUSED_CARD,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { databases, onHosted, openWorld, usualPayments, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
const codeOf = async (reply: ReturnType<typeof begin>) => errorOf(await reply)?.code

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('beginning a payment', () => {
    let world: World
    let shop: Shop
    beforeAll(async () => {
      world = await openWorld({ database: kind, listen: true })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      shop = await openShop(world)
    })

    const paymentsOf = async (buyer: Member) =>
      rowsOf<{ id: string; state: string; amount: number }>(
        world,
        'select id, state, amount from payments where user_id = $1 order by created_at, id',
        [buyer.id],
      )

    test.skipIf(onHosted)(
      'the form has the fields of the specification, and no session of the app',
      async () => {
        const { buyer, postId } = shop
        const id = newId()
        const reply = (await begin(world, buyer, postId, { payment_id: id })).json<BegunPayment>()
        expect(reply.start).toMatchObject({ is: 'form', form: { action: '/api/payment-sandbox' } })
        // Of a page of the version before.
        expect(reply.form).toEqual(reply.start?.is === 'form' ? reply.start.form : null)
        const fields = fieldsOf(reply)
        expect(Object.keys(fields).join(' ')).toBe('am sf aofm tx jb aid payment_id session_id auth_id inm')
        expect(fields).toMatchObject({
          am: '500',
          sf: '0',
          tx: '0',
          jb: 'CAPTURE',
          aid: 'sandbox',
          payment_id: id,
        })
        expect(fields['session_id']).toMatch(/^[\w-]{22}$/)
        expect(fields['auth_id']).toMatch(/^[\w-]{43}$/)
        expect(JSON.stringify(reply)).not.toContain(buyer.token)
        expect(await paymentsOf(buyer)).toEqual([{ id, state: 'pending', amount: 500 }])
      },
    )

    test('a provider learns what it passes through, where it leads back and until when, and nothing of the buyer', async () => {
      const asked: object[] = []
      const provider = defined(world.deps.paymentProviders.current)
      const paymentProvider: typeof provider = {
        ...provider,
        begin: async (it) => {
          asked.push(it)
          return { is: 'redirect', url: 'https://pay.example/1' }
        },
      }
      const other = await openWorld({ parts: { paymentProvider } })
      const { buyer, postId } = await openShop(other)
      const { id, expires_at: expiresAt, start } = (await begin(other, buyer, postId)).json<BegunPayment>()
      expect(start).toEqual({ is: 'redirect', url: 'https://pay.example/1' })
      const [row] = await rowsOf<{ session_id: string; auth_id: string }>(
        other,
        'select session_id, auth_id from payments',
      )
      const { session_id: sessionId, auth_id: authId } = defined(row)
      expect(asked).toEqual([
        {
          id,
          sessionId,
          authId,
          amount: 500,
          itemName: 'とどけの有料投稿',
          chargeDay: null,
          registersOnly: false,
          returnUrl: `http://localhost:8787/payment/return?payment_id=${id}&session_id=${sessionId}`,
          expiresAt: new Date(expiresAt),
        },
      ])
      await other.close()
    })

    test('the same id is the same payment; the id of another person or post is a conflict', async () => {
      const { buyer, creator, postId } = shop
      const id = newId()
      const one = (await begin(world, buyer, postId, { payment_id: id })).json()
      expect((await begin(world, buyer, postId, { payment_id: id })).json()).toEqual(one)
      const otherPost = await pricedPost(world, creator)
      const wrong = [
        await codeOf(begin(world, await signUp(world), postId, { payment_id: id })),
        await codeOf(begin(world, buyer, otherPost, { payment_id: id })),
        await codeOf(begin(world, buyer, postId, { payment_id: id, price: 400 })),
      ]
      expect(wrong).toEqual(['conflict', 'conflict', 'price_changed'])
      expect(await paymentsOf(buyer)).toHaveLength(1)
    })

    test('while a payment of the post is open it is returned again, also at once; later another one begins', async () => {
      const { buyer, postId } = shop
      const replies = await Promise.all([1, 2, 3, 4].map(() => begun(world, buyer, postId)))
      expect(new Set(replies.map((it) => it.id)).size).toBe(1)
      expect(await paymentsOf(buyer)).toHaveLength(1)
      world.clock.now += PAYMENT_OPEN_MS
      const first = defined(replies[0]?.id)
      expect((await begun(world, buyer, postId)).id).not.toBe(first)
      const expired = (await begin(world, buyer, postId, { payment_id: first })).json()
      expect(expired).toMatchObject({ state: 'expired', start: null, form: null })
    })

    test('a changed price is said, and an open payment of the old price is replaced', async () => {
      const { buyer, creator, postId } = shop
      const old = await begun(world, buyer, postId)
      await call(world, creator, 'PATCH', `/posts/${postId}`, { audience: { type: 3, price: 600 } })
      expect(await codeOf(begin(world, buyer, postId))).toBe('price_changed')
      const again = await begun(world, buyer, postId, { price: 600 })
      expect([again.amount, again.fields['am']]).toEqual([600, '600'])
      expect((await paymentsOf(buyer)).map((it) => [it.state, it.amount])).toEqual([
        ['expired', 500],
        ['pending', 600],
      ])
      // The buyer pays the old form: it is what was confirmed, so it counts.
      await notice(world, noticeFields(old.fields))
      expect((await paymentsOf(buyer)).map((it) => it.state)).toEqual(['paid', 'pending'])
    })

    test('a bought post is said to be bought, and a paid payment has no form', async () => {
      const { buyer, postId } = shop
      const { id, fields } = await begun(world, buyer, postId)
      await notice(world, noticeFields(fields))
      expect(await codeOf(begin(world, buyer, postId))).toBe('already_bought')
      const same = (await begin(world, buyer, postId, { payment_id: id })).json()
      expect(same).toMatchObject({ state: 'paid', start: null, form: null })
    })

    test('the form of an open payment is not given again when its post can no longer be bought', async () => {
      const { buyer, creator, postId } = shop
      const [first, second] = [await begun(world, buyer, postId), newId()]
      await call(world, creator, 'PUT', `/blocks/${buyer.id}`)
      expect(await codeOf(begin(world, buyer, postId, { payment_id: first.id }))).toBe('not_found')
      await call(world, creator, 'DELETE', `/blocks/${buyer.id}`)
      expect(await codeOf(begin(world, buyer, postId, { payment_id: first.id }))).toBeUndefined()
      await world.database.executeSql(
        `insert into post_purchases (post_id, user_id, price, bought_at) values ($1, $2, 500, now())`,
        [postId, buyer.id],
      )
      for (const id of [first.id, second])
        expect(await codeOf(begin(world, buyer, postId, { payment_id: id }))).toBe('already_bought')
    })

    test('own, unknown, free and deleted posts cannot be bought', async () => {
      const { buyer, creator, postId } = shop
      const free = await pricedPost(world, creator)
      await call(world, creator, 'PATCH', `/posts/${free}`, { audience: { type: 1 } })
      expect(await codeOf(begin(world, creator, postId))).toBe('forbidden')
      expect(await codeOf(begin(world, buyer, newId()))).toBe('not_found')
      expect(await codeOf(begin(world, buyer, free))).toBe('forbidden')
      await call(world, creator, 'DELETE', `/posts/${postId}`)
      expect(await codeOf(begin(world, buyer, postId))).toBe('not_found')
      expect(await codeOf(begin(world, null, postId))).toBe('unauthenticated')
    })

    test('after a block in either direction the post cannot be bought', async () => {
      const { buyer, creator, postId } = shop
      await call(world, creator, 'PUT', `/blocks/${buyer.id}`)
      expect(await codeOf(begin(world, buyer, postId))).toBe('not_found')
      const other = await signUp(world)
      await call(world, other, 'PUT', `/blocks/${creator.id}`)
      expect(await codeOf(begin(world, other, postId))).toBe('not_found')
    })

    test('a person under 18 cannot pay, and an age-limited post is bought only by who shows them', async () => {
      const { buyer, creator, postId } = shop
      const young = await signUp(world, `${new Date(world.clock.now).getFullYear() - 17}-01-01`)
      expect(await codeOf(begin(world, young, postId))).toBe('under_age')
      const limited = await pricedPost(world, creator, 500, true)
      const show = (shows: boolean) =>
        rowsOf(
          world,
          `insert into user_settings (user_id, message_from, shows_age_limited, updated_at) values ($1, 'everyone', $2, now())
           on conflict (user_id) do update set shows_age_limited = $2`,
          [buyer.id, shows],
        )
      await show(false)
      expect(await codeOf(begin(world, buyer, limited))).toBe('forbidden')
      await show(true)
      expect((await begin(world, buyer, limited)).statusCode).toBe(200)
    })

    test('posts of a creator who leaves, or whose identity is no longer approved, cannot be bought', async () => {
      const { buyer, creator, postId } = shop
      await rowsOf(world, 'update users set identified_at = null where id = $1', [creator.id])
      expect(await codeOf(begin(world, buyer, postId))).toBe('forbidden')
      await identify(world, creator)
      await leave(world, creator)
      expect(await codeOf(begin(world, buyer, postId))).toBe('not_found')
    })

    test('a leaving and a suspended person cannot pay', async () => {
      const { buyer, postId } = shop
      await leave(world, buyer)
      expect(await codeOf(begin(world, buyer, postId))).toBe('leaving')
      const other = await signUp(world)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [other.id])
      expect(await codeOf(begin(world, other, postId))).toBe('suspended')
    })

    test.each([
      ['a missing price', { price: undefined }],
      ['a price that is no whole number', { price: 499.5 }],
      ['a negative price', { price: -500 }],
      ['an id that is no UUID', { payment_id: 'x' }],
    ])('%s is invalid', async (_, more) => {
      expect(await codeOf(begin(world, shop.buyer, shop.postId, more as never))).toBe('invalid')
    })
  })

  describe.skipIf(!available)('limits of payments', () => {
    let world: World
    const limits = { begunPerHour: 3, refusedPerPerson: 2, refusedPerNetwork: 3, newAccountYen: 1200 }
    beforeEach(async () => {
      const payments = { ...usualPayments, limits }
      world = await openWorld({ database: kind, listen: true, settings: { payments } })
      return () => world.close()
    })

    const auditOf = async (person: Member) => {
      const rows = await rowsOf<{ act: string; ip: string; detail: unknown }>(
        world,
        'select act, ip, detail from audit_log where subject_id = $1 order by seq',
        [person.id],
      )
      return rows.map(({ act, ip, detail }) => [act, ip, detail])
    }

    test('a person begins at most so many payments in an hour; the audit log has one entry of it', async () => {
      const { buyer, creator } = await openShop(world)
      const posts = await Promise.all([1, 2, 3, 4, 5].map(() => pricedPost(world, creator, 100)))
      const codes: (string | undefined)[] = []
      for (const it of posts) codes.push(await codeOf(begin(world, buyer, it, { price: 100 })))
      expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited', 'rate_limited'])
      expect(await auditOf(buyer)).toEqual([['payment_limit_begun', '', {}]])
      world.clock.now += HOUR
      expect(await codeOf(begin(world, buyer, defined(posts[3]), { price: 100 }))).toBeUndefined()
    })

    test('payments that are begun at the same time are counted', async () => {
      const { buyer, creator } = await openShop(world)
      const posts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pricedPost(world, creator, 100)))
      const codes = await Promise.all(posts.map((it) => codeOf(begin(world, buyer, it, { price: 100 }))))
      expect(codes.filter((it) => it === undefined)).toHaveLength(limits.begunPerHour)
    })

    test('after refused cards a person, and then the network, cannot begin another payment for a day', async () => {
      const { buyer, creator } = await openShop(world)
      const [one, two, three] = await Promise.all([1, 2, 3].map(() => pricedPost(world, creator)))
      const { fields } = await begun(world, buyer, defined(one))
      await pay(world, fields, REFUSED_CARD)
      await pay(world, fields, REFUSED_CARD)
      expect(await codeOf(begin(world, buyer, defined(two)))).toBe('rate_limited')
      expect(await auditOf(buyer)).toEqual([['payment_limit_refused_person', '', {}]])
      const other = await signUp(world)
      await pay(world, (await begun(world, other, defined(one))).fields, REFUSED_CARD)
      expect(await codeOf(begin(world, other, defined(two)))).toBe('rate_limited')
      expect(await auditOf(other)).toEqual([['payment_limit_refused_network', '', {}]])
      world.clock.now += 24 * HOUR
      expect(await codeOf(begin(world, buyer, defined(three)))).toBeUndefined()
    })

    test('a new account pays at most so much in a day, an older one more', async () => {
      const { buyer, creator } = await openShop(world)
      const posts = await Promise.all([500, 700, 100].map((price) => pricedPost(world, creator, price)))
      await notice(world, noticeFields((await begun(world, buyer, defined(posts[0]))).fields))
      // Exactly the limit.
      expect(await codeOf(begin(world, buyer, defined(posts[1]), { price: 700 }))).toBeUndefined()
      expect(await codeOf(begin(world, buyer, defined(posts[2]), { price: 100 }))).toBe('payment_limit')
      expect(await auditOf(buyer)).toEqual([['payment_limit_new_account', '', {}]])
      const allowed = async (price: number, item = '') =>
        (await call(world, buyer, 'GET', `/payments/allowance?price=${price}${item}`)).json().allowance
      const begunAt = world.clock.now
      // Until the open payment ends.
      expect(await allowed(100)).toMatchObject({
        limit: 1200,
        left: 0,
        fits_at: new Date(begunAt + PAYMENT_OPEN_MS).toISOString(),
      })
      // Until the paid one is 24 hours old too.
      expect(await allowed(1200)).toMatchObject({ fits_at: new Date(begunAt + 24 * HOUR).toISOString() })
      // The open payment of the same post does not count: another one takes its place.
      expect(await allowed(700, `&post_id=${defined(posts[1])}`)).toMatchObject({
        left: 700,
        fits_at: new Date(begunAt).toISOString(),
      })
      expect(await allowed(1201)).toMatchObject({ fits_at: (await allowed(1)).ends_at })
      await rowsOf(world, `update users set created_at = created_at - interval '31 days' where id = $1`, [
        buyer.id,
      ])
      expect(await codeOf(begin(world, buyer, defined(posts[2]), { price: 100 }))).toBeUndefined()
      expect(await allowed(5000)).toBeNull()
    })
  })

  test.skipIf(!available)('without a provider nothing is sold, and there is no sandbox', async () => {
    const off = await openWorld({
      database: kind,
      settings: { payments: { ...usualPayments, provider: 'off' } },
    })
    const { buyer, postId } = await openShop(off)
    expect(await codeOf(begin(off, buyer, postId))).toBe('sales_paused')
    const pages = [
      await off.app.inject({ method: 'POST', url: '/api/payment-sandbox' }),
      await off.app.inject('/api/payment-sandbox/control'),
      await off.app.inject(`/api/payment-notices/${'x'.repeat(43)}`),
    ]
    expect(pages.map((it) => it.statusCode)).toEqual([404, 404, 404])
    await off.close()
  })
})
