// Signed webhooks: each event, forged, replayed, reordered and oversized ones, and other providers.
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { handleNotice } from '#server/services/billing/handle-notice.ts'
import { reconcile } from '#server/services/billing/reconcile.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { noticeSecretOf } from '#server/services/payments/identifiers.ts'
import { joined, membershipOf, openClub } from '#server/testing/memberships/club.ts'
import { chargesOf, tasksOf } from '#server/testing/payments/bookings.ts'
import { metadataOf, signatureOf, signed, webhookSecret } from '#server/testing/payments/webhooks.ts'
import {
  accessOf,
  begin,
  begun,
  type FormFields,
  ledgerOf,
  notice,
  noticeFields,
  openShop,
  outcomesOf,
  rowsOf,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const MINUTE = 60_000
/** Both sandboxes are open; new payments begin at the hosted one. */
const payments = {
  ...usualPayments,
  provider: 'hosted-sandbox',
  earlierProviders: ['sandbox'],
  noticePath: 'path-of-webhooks'.padEnd(40, 'x'),
} as const

let world: World
let shop: Shop
let log: string[]
beforeAll(async () => {
  log = []
  const logTo = { write: (line: string) => void log.push(line) }
  world = await openWorld({ settings: { payments, logLevel: 'info', logTo } })
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await openShop(world)
})

const path = () => `${PAYMENT_NOTICES_PATH}/${noticeSecretOf(world.deps.secrets, payments.noticePath)}`
const send = (more: Partial<InjectOptions>) =>
  world.app.inject({ method: 'POST', url: `${path()}/hosted-sandbox`, ...more })
const sendEvent = (event: object) => send(signed(world, { id: newId(), ...event }))
const paidOf = (fields: FormFields, charge = newId()) => ({
  type: 'charge.succeeded',
  charge,
  amount: 500,
  metadata: metadataOf(fields),
})
const lastOutcome = async () => (await outcomesOf(world)).at(-1)
const rows = async () => (await outcomesOf(world)).length

test('a payment leads to the page of the provider, again to the same one, and pays by a signed notice', async () => {
  const { buyer, postId } = shop
  const { id, start, form, fields } = await begun(world, buyer, postId)
  expect([start, form]).toEqual([
    { is: 'redirect', url: expect.stringMatching(/^\/api\/payment-sandbox\/pages\/[\w-]+$/) },
    null,
  ])
  expect((await begun(world, buyer, postId, { payment_id: id })).start).toEqual(start)
  const reply = await sendEvent(paidOf(fields))
  expect([reply.statusCode, reply.body]).toEqual([200, 'ok'])
  expect([await stateOf(world, buyer, id), await accessOf(world, buyer, postId)]).toEqual(['paid', 'full'])
})

test('a provider that does not answer makes no payment, and the next try is the same one', async () => {
  const { buyer, postId } = shop
  const id = newId()
  await rowsOf(world, 'alter table sandbox_charges rename to charges_there')
  const reply = await begin(world, buyer, postId, { payment_id: id })
  await rowsOf(world, 'alter table charges_there rename to sandbox_charges')
  expect([reply.statusCode, reply.json().error.code]).toEqual([503, 'unavailable'])
  expect(world.deps.meters.provider?.failed()).toMatchObject({ call: 'begin' })
  expect((await begun(world, buyer, postId, { payment_id: id })).start?.is).toBe('redirect')
  expect(world.deps.meters.provider?.failed()).toBeUndefined()
})

describe('a webhook that is not authenticated', () => {
  const forged: readonly (readonly [string, string, (body: string) => Readonly<Record<string, string>>])[] = [
    ['no signature', 'signature', () => ({})],
    ['another key', 'signature', (it) => ({ 'sandbox-signature': signatureOf(it, 'x', world.clock.now) })],
    [
      'the signature of another body',
      'signature',
      () => ({ 'sandbox-signature': signatureOf('{}', webhookSecret(world), world.clock.now) }),
    ],
    [
      'a time of long ago',
      'stale',
      (it) => ({
        'sandbox-signature': signatureOf(it, webhookSecret(world), world.clock.now - 6 * MINUTE),
      }),
    ],
  ]
  test.each(forged)('with %s is refused as `%s`, recorded and grants nothing', async (_, why, headersOf) => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const payload = JSON.stringify({ id: newId(), ...paidOf(fields) })
    const reply = await send({ payload, headers: headersOf(payload) })
    expect([reply.statusCode, reply.json().error.code]).toEqual([401, 'unauthenticated'])
    expect(await lastOutcome()).toBe(`refused:${why}`)
    expect([await chargesOf(world, id), await accessOf(world, shop.buyer, shop.postId)]).toEqual([
      [],
      'purchase',
    ])
    // The true one with the same bytes is not hidden by it.
    await send(signed(world, payload))
    expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
  })

  test('is one record and one task, however often it is replayed', async () => {
    const { fields } = await begun(world, shop.buyer, shop.postId)
    const old = signed(world, JSON.stringify({ id: newId(), ...paidOf(fields) }))
    world.clock.now += 10 * MINUTE
    const before = await rows()
    for (let count = 0; count < 3; count++) expect((await send(old)).statusCode).toBe(401)
    expect(await rows()).toBe(before + 1)
  })

  test('makes one open task, however many others come', async () => {
    await rowsOf(world, 'update operator_tasks set done_at = now() where done_at is null')
    for (const body of ['{"n":1}', '{"n":2}', '{"n":3}'])
      expect((await send({ payload: body })).statusCode).toBe(401)
    const open = () =>
      rowsOf(
        world,
        `select details->>'why' as why, details->>'provider' as provider from operator_tasks where done_at is null`,
      )
    expect(await open()).toEqual([{ why: 'refused:signature', provider: 'hosted-sandbox' }])
    // What a stranger wrote is not stored.
    expect(
      await rowsOf(
        world,
        `select 1 from payment_notices where outcome = 'refused:signature' and body is not null`,
      ),
    ).toEqual([])
    await rowsOf(world, 'update operator_tasks set done_at = now() where done_at is null')
    await send({ payload: '{"n":4}' })
    expect(await open()).toHaveLength(1)
  })

  test('by another method is refused', async () => {
    const { fields } = await begun(world, shop.buyer, shop.postId)
    const it = signed(world, JSON.stringify({ id: newId(), ...paidOf(fields) }))
    for (const method of ['PUT', 'PATCH', 'DELETE', 'GET'] as const) {
      const reply = await send({ ...(method === 'GET' ? {} : it), method })
      expect([method, reply.statusCode, await lastOutcome()]).toEqual([method, 405, 'refused:method'])
    }
    expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
  })

  test('at an unknown path is an unknown address', async () => {
    const before = await rows()
    const url = `${PAYMENT_NOTICES_PATH}/${'x'.repeat(40)}/hosted-sandbox`
    expect((await send({ url, payload: '{}' })).statusCode).toBe(404)
    expect((await send({ url: `${path()}/link-form`, payload: '{}' })).statusCode).toBe(404)
    expect(await rows()).toBe(before)
  })
})

test('a body above 64 KiB is refused and recorded without its bytes', async () => {
  const { fields } = await begun(world, shop.buyer, shop.postId)
  const largest = JSON.stringify({ id: newId(), ...paidOf(fields), x: '' })
  const body = (bytes: number) => largest.replace('"x":""', `"x":"${'x'.repeat(bytes - largest.length)}"`)
  expect((await send(signed(world, body(65_537)))).statusCode).toBe(413)
  const [row] = await rowsOf(world, 'select outcome, body from payment_notices order by id desc limit 1')
  expect(row).toEqual({ outcome: 'refused:oversized', body: null })
  expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
  expect((await send(signed(world, body(65_536)))).statusCode).toBe(200)
  expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
})

test('a signed body that cannot be read is recorded and grants nothing', async () => {
  for (const body of ['', '{', JSON.stringify({ type: 'charge.unknown' })]) {
    const reply = await send(signed(world, body))
    expect([reply.statusCode, await lastOutcome()]).toEqual([200, 'refused:malformed'])
  }
})

test('a delivery that is repeated with another signature is stored once', async () => {
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  const body = JSON.stringify({ id: newId(), ...paidOf(fields) })
  const before = await rows()
  for (let count = 0; count < 3; count++) {
    world.clock.now += MINUTE
    expect((await send(signed(world, body))).statusCode).toBe(200)
  }
  expect([await rows(), (await chargesOf(world, id)).length]).toEqual([before + 1, 1])
})

test('a delivery that is repeated an hour later, with other bytes about the delivery, is stored once', async () => {
  const { fan, plan } = await openClub(world)
  const it = await joined(world, fan, plan.id)
  const event = { id: newId(), type: 'subscription.charge_failed', subscription: it.acid, payment: it.id }
  await send(signed(world, { ...event, deliveries: 1 }))
  const before = await rows()
  world.clock.now += 90 * MINUTE
  await send(signed(world, { ...event, deliveries: 2 }))
  await send({ ...signed(world, event), url: `${path()}/hosted-sandbox?again=1` })
  expect([await rows(), await lastOutcome()]).toEqual([before, 'renewal_failed'])
  await send(signed(world, { ...event, id: newId() }))
  expect(await rows()).toBe(before + 1)
})

test('a stored webhook is handled by the job long after its replay window', async () => {
  const { buyer, postId } = shop
  const { fields } = await begun(world, buyer, postId)
  await rowsOf(world, 'alter table charges rename to charges_away')
  await sendEvent(paidOf(fields))
  await rowsOf(world, 'alter table charges_away rename to charges')
  const [row] = await rowsOf<{ id: string }>(world, 'select id from payment_notices where handled_at is null')
  world.clock.now += 60 * MINUTE
  expect(await handleNotice(world.deps, defined(row?.id))).toMatchObject({ outcome: 'granted' })
})

test('a pending payment is only recorded, and an expired page ends it; a late charge pays it', async () => {
  const { buyer, postId } = shop
  const { id, fields } = await begun(world, buyer, postId)
  await sendEvent({ ...paidOf(fields), type: 'charge.pending' })
  expect([await lastOutcome(), await stateOf(world, buyer, id)]).toEqual(['pending', 'pending'])
  await sendEvent({ ...paidOf(fields), type: 'page.expired' })
  expect([await lastOutcome(), await stateOf(world, buyer, id)]).toEqual(['expired', 'expired'])
  await sendEvent({ ...paidOf(fields), type: 'page.expired' })
  expect(await lastOutcome()).toBe('unchanged')
  await sendEvent(paidOf(fields))
  await sendEvent({ ...paidOf(fields), type: 'page.expired' })
  expect([await lastOutcome(), await stateOf(world, buyer, id)]).toEqual(['unchanged', 'paid'])
  expect(await tasksOf(world, id)).toEqual([])
})

test('an expired page of another amount or payment is refused', async () => {
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  await sendEvent({ ...paidOf(fields), type: 'page.expired', amount: 1 })
  expect([await lastOutcome(), await stateOf(world, shop.buyer, id)]).toEqual(['refused:amount', 'pending'])
})

describe('a charge whose money was taken back', () => {
  const taken = (is: 'refunded' | 'disputed', charge: string, more = {}) =>
    sendEvent({ type: `charge.${is}`, charge, amount: 500, ...more })

  test.each(['refunded', 'disputed'] as const)('at the provider is one task: %s', async (is) => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    await sendEvent(paidOf(fields, charge))
    const booked = await ledgerOf(world)
    await taken(is, charge)
    await taken(is, charge)
    expect(await lastOutcome()).toBe(`${is}_there`)
    // As at the comparison of the night, the operator decides.
    expect(await tasksOf(world, id)).toEqual([{ kind: 'difference', done: false }])
    expect([await accessOf(world, shop.buyer, shop.postId), await ledgerOf(world)]).toEqual(['full', booked])
  })

  test('in another part once more is another task, and the nightly comparison adds none', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    await sendEvent(paidOf(fields, charge))
    await taken('refunded', charge, { amount: 100 })
    await rowsOf(world, 'update operator_tasks set done_at = now() where payment_id = $1', [id])
    await taken('refunded', charge, { amount: 300 })
    await taken('refunded', charge, { amount: 300 })
    const { paymentProviders } = world.deps
    const listed = {
      chargeRef: charge,
      paymentId: id,
      amount: 500,
      refunded: 300,
      recurringRef: '',
      chargedAt: new Date(world.clock.now),
    }
    const list = async () => ({ charges: [listed], recurring: [] })
    const all = paymentProviders.all.map((it) => ({
      ...it,
      list: it.name === 'hosted-sandbox' ? list : undefined,
    }))
    await reconcile({
      ...world.deps,
      paymentProviders: { ...paymentProviders, all } as typeof paymentProviders,
    })
    const found = await rowsOf(
      world,
      `select details->'amount' as amount, details->>'provider' as provider from operator_tasks where payment_id = $1 order by id`,
      [id],
    )
    expect(found).toEqual([100, 300].map((amount) => ({ amount, provider: 'hosted-sandbox' })))
  })

  test('with the number of another provider’s charge is a task of its own', async () => {
    const charge = newId()
    await rowsOf(
      world,
      `insert into operator_tasks (id, kind, details, due_at, created_at) values
       ($1, 'difference', jsonb_build_object('gid', $2::text, 'why', 'refunded_there', 'amount', 500, 'provider', 'link-form'), now(), now())`,
      [newId(), charge],
    )
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    await sendEvent(paidOf(fields, charge))
    await taken('refunded', charge)
    expect(await tasksOf(world, id)).toEqual([{ kind: 'difference', done: false }])
  })

  test('by a refund of the app needs nothing more', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    await sendEvent(paidOf(fields, charge))
    await refundPayment(world.deps, id, { actorId: shop.creator.id, ip: '' })
    await taken('refunded', charge)
    await taken('disputed', charge)
    expect(await lastOutcome()).toBe('unchanged')
    expect(await tasksOf(world, id)).toEqual([{ kind: 'refund', done: false }])
  })

  test('before its charge was noticed opens nothing when that comes', async () => {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    const charge = newId()
    await taken('refunded', charge, { payment: id })
    await sendEvent(paidOf(fields, charge))
    expect(await lastOutcome()).toBe('taken_back')
    expect([await chargesOf(world, id), await accessOf(world, shop.buyer, shop.postId)]).toEqual([
      [],
      'purchase',
    ])
    expect(await tasksOf(world, id)).toEqual([{ kind: 'difference', done: false }])
  })
})

describe('with two providers', () => {
  /** A payment that was begun at the first sandbox. */
  async function begunEarlier() {
    const { id, fields } = await begun(world, shop.buyer, shop.postId)
    await rowsOf(world, `update payments set provider = 'sandbox' where id = $1`, [id])
    return { id, fields }
  }

  test('a notice of the wrong one grants nothing, however right it is', async () => {
    const { id, fields } = await begunEarlier()
    await sendEvent(paidOf(fields))
    expect(await lastOutcome()).toBe('refused:provider')
    expect([await chargesOf(world, id), await accessOf(world, shop.buyer, shop.postId)]).toEqual([
      [],
      'purchase',
    ])
  })

  test('the earlier one still reports at its address', async () => {
    const { fields } = await begunEarlier()
    const query = new URLSearchParams(noticeFields(fields)).toString()
    const reply = await world.app.inject(`${path()}?${query}`)
    expect([reply.statusCode, await lastOutcome()]).toEqual([200, 'granted'])
    expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
  })

  test('the earlier one grants nothing of the later one', async () => {
    const { fields } = await begun(world, shop.buyer, shop.postId)
    await world.app.inject(`${path()}?${new URLSearchParams(noticeFields(fields)).toString()}`)
    expect(await lastOutcome()).toBe('refused:provider')
    expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
  })

  test('a stop by the wrong one changes nothing', async () => {
    const { fan, plan } = await openClub(world)
    const it = await joined(world, fan, plan.id)
    await world.app.inject(`${path()}?${new URLSearchParams({ rst: '4', cod: it.id }).toString()}`)
    expect([await lastOutcome(), (await membershipOf(world, fan))?.state]).toEqual([
      'refused:provider',
      'active',
    ])
    await sendEvent({ type: 'subscription.stopped', by: 'buyer', subscription: it.acid, payment: it.id })
    expect((await membershipOf(world, fan))?.state).toBe('cancelling')
  })
})

test('neither the path, nor a signature, nor the key is in the log', async () => {
  const { fields } = await begun(world, shop.buyer, shop.postId)
  const it = signed(world, JSON.stringify({ id: newId(), ...paidOf(fields) }))
  await send(it)
  await send({ ...it, payload: '{}' })
  const signature = String(it.headers?.['sandbox-signature'])
  const secrets = [payments.noticePath, signature, signature.slice(-64), webhookSecret(world)]
  expect(log.length).toBeGreaterThan(20)
  expect(secrets.filter((secret) => log.some((line) => line.includes(secret)))).toEqual([])
  // What `notice` sends goes the same way.
  await notice(world, noticeFields(fields))
})
