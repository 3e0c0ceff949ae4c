// Bad notices grant nothing, and each is recorded with its reason.
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { signUp } from '#server/testing/people/members.ts'
import {
  accessOf,
  begun,
  type FormFields,
  ledgerOf,
  notice,
  noticeFields,
  noticeUrl,
  openShop,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { databases, openWorld, usualPayments, type World } from '#server/testing/world.ts'

type Changed = (right: FormFields, other: FormFields) => FormFields | string

const encoded = (fields: FormFields) => new URLSearchParams(fields).toString()
const without = (name: string) => (right: FormFields) =>
  Object.fromEntries(Object.entries(right).filter(([it]) => it !== name))
const withValue = (name: string, value: string) => (right: FormFields) => ({ ...right, [name]: value })
const withTotal = (am: string) => (right: FormFields) => ({ ...right, am, ta: am })
const append = (text: string) => (right: FormFields) => `${encoded(right)}&${text}`

/** Each is sent to the right path from a right address. `other` is the form of another buyer of the same post. */
const bad: readonly (readonly [name: string, changed: Changed, outcome: string])[] = [
  ['a smaller amount', withTotal('1'), 'refused:amount'],
  ['a larger amount', withTotal('501'), 'refused:amount'],
  ['an amount of zero', withTotal('0'), 'refused:amount'],
  ['a total without its price', withValue('am', '1'), 'refused:sum'],
  ['tax beside the price', (right) => ({ ...right, tx: '50', ta: '550' }), 'refused:amount'],
  ['shipping beside the price', (right) => ({ ...right, sf: '50', ta: '550' }), 'refused:amount'],
  ['tax inside the total', (right) => ({ ...right, am: '450', tx: '45' }), 'refused:sum'],
  ['a negative amount', withTotal('-500'), 'refused:malformed'],
  ['a huge amount', withTotal('99999999999999999999'), 'refused:malformed'],
  ['an amount with a fraction', withTotal('500.0'), 'refused:malformed'],
  ['an amount in exponents', withTotal('5e2'), 'refused:malformed'],
  ['an amount in hexadecimal', withTotal('0x1f4'), 'refused:malformed'],
  ['an amount in full-width digits', withTotal('５００'), 'refused:malformed'],
  ['an amount with a zero before it', withTotal('0500'), 'refused:malformed'],
  ['an amount with spaces', withTotal(' 500'), 'refused:malformed'],
  ['another store', withValue('aid', '999999'), 'refused:store'],
  ['an empty store', withValue('aid', ''), 'refused:malformed'],
  ['an unknown payment', (right) => ({ ...right, payment_id: newId() }), 'refused:unknown'],
  ['a payment that is no UUID', withValue('payment_id', '1 or 1=1'), 'refused:malformed'],
  ['a payment in capital letters', (right) => ({ ...right, payment_id: upper(right) }), 'refused:malformed'],
  ['another auth_id', withValue('auth_id', 'x'.repeat(43)), 'refused:auth'],
  ['the auth_id of another payment', (right, other) => swapped(right, other, 'auth_id'), 'refused:auth'],
  ['another session_id', withValue('session_id', 'x'.repeat(22)), 'refused:session'],
  [
    'the session_id of another payment',
    (right, other) => swapped(right, other, 'session_id'),
    'refused:session',
  ],
  ['the payment of another person', (right, other) => swapped(right, other, 'payment_id'), 'refused:auth'],
  ['another order code', withValue('cod', 'x'), 'refused:code'],
  ['an unknown result', withValue('rst', '9'), 'refused:malformed'],
  ['a result of two digits', withValue('rst', '01'), 'refused:malformed'],
  ['a number with signs', withValue('gid', "1';--"), 'refused:malformed'],
  ['a long number', withValue('gid', '1'.repeat(65)), 'refused:malformed'],
  ['no number', without('gid'), 'refused:missing'],
  ['no result', without('rst'), 'refused:missing'],
  ['no total', without('ta'), 'refused:missing'],
  ['no price', without('am'), 'refused:missing'],
  ['no payment', without('payment_id'), 'refused:missing'],
  ['no session_id', without('session_id'), 'refused:missing'],
  ['no auth_id', without('auth_id'), 'refused:missing'],
  ['an empty auth_id', withValue('auth_id', ''), 'refused:missing'],
  ['no field', () => '', 'refused:missing'],
  ['the total twice', append('ta=500'), 'refused:repeated'],
  ['the total twice, once encoded', append('%74a=500'), 'refused:repeated'],
  ['the payment as a list', append('payment_id=x'), 'refused:repeated'],
  ['an invalid percent-encoding', append('x=%zz'), 'refused:encoding'],
  ['half a character', append('x=%E3%81'), 'refused:encoding'],
  ['Shift_JIS', append('inm=%93%8a%8de'), 'refused:encoding'],
]
const upper = (right: FormFields) => (right['payment_id'] ?? '').toUpperCase()
const swapped = (right: FormFields, other: FormFields, name: string) => ({
  ...right,
  [name]: other[name] ?? '',
})

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a bad notice', () => {
    let world: World
    let shop: Shop
    let log: string[]
    const allowed = '192.0.2.7'
    beforeAll(async () => {
      log = []
      // Of another length than the texts that the log masks.
      const noticePath = 'path-of-notices'.padEnd(40, 'x')
      const payments = { ...usualPayments, noticePath, isNoticeAddress: (it: string) => it === allowed }
      const logTo = { write: (line: string) => void log.push(line) }
      world = await openWorld({ database: kind, settings: { payments, logLevel: 'info', logTo } })
      shop = await openShop(world)
    })
    afterAll(() => world.close())

    const send = (query: FormFields | string, more: Partial<InjectOptions> = {}) =>
      notice(world, query, { remoteAddress: allowed, ...more })
    const newest = async () => {
      const rows = await rowsOf<{ outcome: string; handled: boolean; raw: string; id: string }>(
        world,
        'select id, outcome, raw, handled_at is not null as handled from payment_notices order by id desc limit 1',
      )
      return rows[0]
    }
    /** Expects that the buyer's payment and access are as before, and no money is booked. */
    const expectNothing = async (buyer: Shop['buyer'], paymentId: string) => {
      const [row] = await rowsOf<{ state: string }>(world, 'select state from payments where id = $1', [
        paymentId,
      ])
      const charges = await rowsOf(world, 'select 1 from charges')
      expect([
        row?.state,
        await accessOf(world, buyer, shop.postId),
        charges.length,
        await ledgerOf(world),
      ]).toEqual(['pending', 'purchase', 0, {}])
    }

    test.each(bad)('with %s is recorded and grants nothing', async (_, changed, outcome) => {
      const [buyer, other] = [await signUp(world), await signUp(world)]
      const payment = await begun(world, buyer, shop.postId)
      const otherPayment = await begun(world, other, shop.postId)
      const reply = await send(changed(noticeFields(payment.fields), noticeFields(otherPayment.fields)))
      expect([reply.statusCode, reply.body]).toEqual([200, 'ok'])
      const row = await newest()
      expect([row?.outcome, row?.handled]).toEqual([outcome, true])
      const tasks = await rowsOf<{ kind: string }>(
        world,
        `select kind from operator_tasks where details->>'notice' = $1`,
        [row?.id],
      )
      expect(tasks).toEqual([{ kind: 'notice_mismatch' }])
      expect(log.filter((it) => it.includes(defined(row?.id)) && it.includes(outcome))).toHaveLength(1)
      await expectNothing(buyer, payment.id)
    })

    test('that is too long is cut, recorded and refused', async () => {
      const payment = await begun(world, shop.buyer, shop.postId)
      const reply = await send(`${encoded(noticeFields(payment.fields))}&x=${'あ'.repeat(3000)}`)
      expect(reply.statusCode).toBe(413)
      const row = await newest()
      expect([row?.outcome, row?.raw.length]).toEqual(['refused:oversized', 8192])
      await expectNothing(shop.buyer, payment.id)
    })

    test('by POST is recorded and refused', async () => {
      const { id, fields } = await begun(world, shop.buyer, shop.postId)
      const query = encoded(noticeFields(fields))
      for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/plain']) {
        const body = { payload: `${query}&t=${type}`, headers: { 'content-type': type } }
        const reply = await send('', { method: 'POST', ...body })
        expect([type, reply.statusCode, (await newest())?.outcome]).toEqual([type, 405, 'refused:method'])
      }
      const byQuery = await send(query, { method: 'POST' })
      expect([byQuery.statusCode, (await newest())?.outcome]).toEqual([405, 'refused:method'])
      await expectNothing(shop.buyer, id)
    })

    test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
      'by %s changes nothing',
      async (method) => {
        const { id, fields } = await begun(world, shop.buyer, shop.postId)
        const reply = await send(encoded(noticeFields(fields)), { method })
        expect(reply.statusCode).toBeGreaterThanOrEqual(method === 'OPTIONS' ? 200 : 400)
        await expectNothing(shop.buyer, id)
      },
    )

    test('at a guessed path is an unknown address, and its path is not logged', async () => {
      const { id, fields } = await begun(world, shop.buyer, shop.postId)
      const query = encoded(noticeFields(fields))
      const right = noticeUrl(world)
      const before = await newest()
      for (const path of ['', 'x', right.slice(PAYMENT_NOTICES_PATH.length + 1, -1), 'x'.repeat(200)]) {
        const url = `${PAYMENT_NOTICES_PATH}/${path}?${query}`
        const reply = await world.app.inject({ method: 'GET', url, remoteAddress: allowed })
        expect([path, reply.statusCode]).toEqual([path, 404])
      }
      expect(await newest()).toEqual(before)
      expect(log.filter((it) => it.includes('"why":"path"')).length).toBeGreaterThanOrEqual(2)
      await expectNothing(shop.buyer, id)
    })

    test('from another address is an unknown address, and logged as an error', async () => {
      const { id, fields } = await begun(world, shop.buyer, shop.postId)
      const before = await newest()
      const forwarded = { 'x-forwarded-for': allowed }
      const reply = await send(noticeFields(fields), { remoteAddress: '198.51.100.9', headers: forwarded })
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found'])
      expect(await newest()).toEqual(before)
      expect(log.some((it) => it.includes('"why":"address"') && it.includes('"level":50'))).toBe(true)
      await expectNothing(shop.buyer, id)
    })

    test('of a payment that is paid changes nothing, and neither does a later refused card', async () => {
      const buyer = await signUp(world)
      const payment = await begun(world, buyer, shop.postId)
      const right = noticeFields(payment.fields)
      await send(right)
      const booked = await ledgerOf(world)
      await send({ ...right, rst: '2', gid: newId() })
      expect((await newest())?.outcome).toBe('card_refused')
      await send({ ...right, x: 'again' })
      expect((await newest())?.outcome).toBe('unchanged')
      expect([await accessOf(world, buyer, shop.postId), await ledgerOf(world)]).toEqual(['full', booked])
    })

    test('neither the secret path nor a session_id is in the log', async () => {
      const { fields } = await begun(world, await signUp(world), shop.postId)
      await send(noticeFields(fields))
      const secret = noticeUrl(world).slice(PAYMENT_NOTICES_PATH.length + 1)
      expect(log.length).toBeGreaterThan(50)
      expect(log.filter((it) => it.includes(secret) || it.includes(fields['session_id'] ?? '?'))).toEqual([])
    })

    test('that cannot be stored is answered with 5xx, so that the provider repeats it', async () => {
      const buyer = await signUp(world)
      const { fields } = await begun(world, buyer, shop.postId)
      const right = noticeFields(fields)
      await rowsOf(world, 'alter table payment_notices rename to notices_away')
      const lost = await send(right)
      await rowsOf(world, 'alter table notices_away rename to payment_notices')
      expect(lost.statusCode).toBe(500)
      expect((await send(right)).statusCode).toBe(200)
      expect(await accessOf(world, buyer, shop.postId)).toBe('full')
    })
  })

  test.skipIf(!available)(
    'a notice whose handling fails is stored, answered and handled by the job',
    async () => {
      const world = await openWorld({ database: kind, worker: true, parts: { scheduleCheckSeconds: 1 } })
      const { buyer, postId } = await openShop(world)
      const { fields } = await begun(world, buyer, postId)
      await rowsOf(world, 'alter table charges rename to charges_away')
      const reply = await notice(world, noticeFields(fields))
      const [stored] = await rowsOf<{ outcome: string | null }>(world, 'select outcome from payment_notices')
      expect([reply.statusCode, stored?.outcome]).toEqual([200, null])
      await rowsOf(world, 'alter table charges_away rename to charges')
      await rowsOf(world, `update pgboss.job set start_after = now() where name = 'payment.notice'`)
      world.deps.jobs.wake('payment.notice')
      await expect.poll(() => accessOf(world, buyer, postId)).toBe('full')
      expect(await ledgerOf(world)).toMatchObject({ provider_receivable: 500 })
      await world.close()
    },
  )
})
