// The sandbox's page, its exact form, its buttons, its control, and its list for reconciliation.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { SANDBOX_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { call, errorOf } from '#server/testing/people/members.ts'
import {
  accessOf,
  behave,
  begun,
  type FormFields,
  GOOD_CARD,
  openSandbox,
  openShop,
  outcomesOf,
  pay,
  postForm,
  sandboxPage,
  rowsOf,
  type Shop,
  stateOf,
} from '#server/testing/payments/shop.ts'
import { onHosted, openWorld, usualPayments, type World } from '#server/testing/world.ts'
import { cardResultOf, testCards } from './form.ts'
import { cardPage } from './pages.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await openWorld({ listen: true, worker: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  await behave(world)
  shop = await openShop(world)
})

const formOf = async (): Promise<FormFields> => (await begun(world, shop.buyer, shop.postId)).fields

test('the page says that it is for practice, and shows the item, the amount and the test cards', async () => {
  const page = await sandboxPage(world, await formOf())
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toContain("form-action 'self'")
  const texts = [
    'これは練習用の決済画面です。お金は動きません。',
    'とどけの有料投稿',
    '500円',
    '支払う',
    'やめる',
  ]
  expect(texts.filter((it) => !page.body.includes(it))).toEqual([])
  expect(testCards.filter((it) => !page.body.includes(it.number))).toEqual([])
  const style = await world.app.inject(`${SANDBOX_PATH}/style.css`)
  expect(style.body).toContain('prefers-color-scheme: dark')
})

test('the item is escaped', () => {
  const page = cardPage({
    chargeRef: '1',
    itemName: '<script>',
    amount: 500,
    monthly: 500,
    chargeDay: '',
    problem: '<b>',
  })
  expect([page.includes('<script>'), page.includes('<b>'), page.includes('&lt;script&gt;')]).toEqual([
    false,
    false,
    true,
  ])
})

// The hosted sandbox gets no form.
test.skipIf(onHosted).each<[string, (fields: FormFields) => FormFields | string]>([
  ['a missing field', (it) => Object.fromEntries(Object.entries(it).filter(([name]) => name !== 'inm'))],
  ['a further field', (it) => ({ ...it, card: '4111' })],
  ['`cod`, which is not configured', (it) => ({ ...it, cod: it['payment_id'] ?? '' })],
  ['a repeated field', (it) => `${new URLSearchParams(it).toString()}&am=1`],
  ['tax', (it) => ({ ...it, tx: '50' })],
  ['an authorization only', (it) => ({ ...it, jb: 'AUTH' })],
  ['another shop', (it) => ({ ...it, aid: '999' })],
  ['an amount of zero', (it) => ({ ...it, am: '0' })],
  ['no field', () => ''],
])('a form with %s is refused', async (_, changed) => {
  const page = await postForm(world, '', changed(await formOf()))
  expect([page.statusCode, page.body]).toEqual([422, expect.stringContaining('決済画面を開けません')])
})

test.skipIf(onHosted)('a form above the size limit is refused', async () => {
  const reply = await postForm(world, '', { ...(await formOf()), inm: 'x'.repeat(5000) })
  expect(reply.statusCode).toBe(413)
})

test('やめる leads back without a notice, and the charge is closed', async () => {
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  const path = await openSandbox(world, fields)
  const reply = await postForm(world, path, { do: 'cancel', card: '' })
  expect([reply.statusCode, reply.headers.location]).toEqual([
    303,
    `/payment/return?payment_id=${id}&session_id=${fields['session_id']}`,
  ])
  expect(await stateOf(world, shop.buyer, id)).toBe('pending')
  expect((await postForm(world, path, { do: 'pay', card: GOOD_CARD })).statusCode).toBe(409)
  expect(await stateOf(world, shop.buyer, id)).toBe('pending')
})

test('a charge is paid once, also by two clicks at once', async () => {
  const path = await openSandbox(world, await formOf())
  const click = () => postForm(world, path, { do: 'pay', card: GOOD_CARD })
  const replies = await Promise.all([click(), click(), click()])
  expect(replies.map((it) => it.statusCode).toSorted()).toEqual([303, 409, 409])
  expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
  expect((await postForm(world, `/${newId()}`, { do: 'pay' })).statusCode).toBe(404)
})

test('only test cards are taken, in any way of typing, and no typed number is stored', async () => {
  expect(['4111111111111111', '４１１１-1111 1111-1111'].map(cardResultOf)).toEqual(['paid', 'paid'])
  expect(['4242424242424242', '', '4111', 'x'.repeat(9999)].map(cardResultOf)).toEqual(
    Array.from({ length: 4 }, () => 'unknown'),
  )
  const path = await openSandbox(world, await formOf())
  const page = await postForm(world, path, { do: 'pay', card: '4242424242424242' })
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('role="alert"')])
  expect(page.body).not.toContain('4242')
  const rows = await rowsOf<{ row: string }>(world, 'select to_jsonb(c)::text as row from sandbox_charges c')
  expect(rows.filter((it) => it.row.includes('4242'))).toEqual([])
  expect((await postForm(world, path, { do: 'pay', card: GOOD_CARD })).statusCode).toBe(303)
})

test('a failed 3-D Secure check is said, and another try is possible', async () => {
  const fields = await formOf()
  const page = await pay(world, fields, '4000 0000 0000 3220')
  expect(page.body).toContain('本人認証（3Dセキュア）に失敗しました')
  const next = defined(/action="\/api\/payment-sandbox(\/[\w-]+)"/.exec(page.body)?.[1])
  expect((await postForm(world, next, { do: 'pay', card: GOOD_CARD })).statusCode).toBe(303)
  expect(await accessOf(world, shop.buyer, shop.postId)).toBe('full')
})

test('a delayed notice is sent by a job', async () => {
  await behave(world, { delay: 3600 })
  const { fields } = await begun(world, shop.buyer, shop.postId)
  await pay(world, fields)
  expect(await accessOf(world, shop.buyer, shop.postId)).toBe('purchase')
  world.clock.now += 3600_000
  await rowsOf(world, `update pgboss.job set start_after = now() where name = 'payment-sandbox.notices'`)
  world.deps.jobs.wake('payment-sandbox.notices')
  await expect.poll(() => accessOf(world, shop.buyer, shop.postId)).toBe('full')
})

test('a notice that cannot be delivered stops no buyer, and a job sends it again', async () => {
  const { fields } = await begun(world, shop.buyer, shop.postId)
  await rowsOf(world, 'alter table payment_notices rename to notices_away')
  const reply = await pay(world, fields)
  await rowsOf(world, 'alter table notices_away rename to payment_notices')
  expect([reply.statusCode, await accessOf(world, shop.buyer, shop.postId)]).toEqual([303, 'purchase'])
  await rowsOf(world, `update pgboss.job set start_after = now() where name = 'payment-sandbox.notices'`)
  world.deps.jobs.wake('payment-sandbox.notices')
  await expect.poll(() => accessOf(world, shop.buyer, shop.postId)).toBe('full')
})

test('the provider lists its charges, and a refund is listed', async () => {
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  await pay(world, fields)
  const provider = world.deps.paymentProviders.current
  const listed = async () => {
    const list = await provider?.list?.()
    return (list?.charges ?? []).filter((it) => it.paymentId === id)
  }
  const [charge] = await listed()
  expect(charge).toMatchObject({ paymentId: id, amount: 500, refunded: 0 })
  await provider?.refund?.(defined(charge?.chargeRef), 500)
  await provider?.refund?.(defined(charge?.chargeRef), 500)
  expect(await listed()).toMatchObject([{ chargeRef: charge?.chargeRef, refunded: 500 }])
})

test('the control is strict, and absent where it is not configured', async () => {
  expect(errorOf(await behave(world, { explode: true })).code).toBe('invalid')
  expect(errorOf(await behave(world, { copies: 0 })).code).toBe('invalid')
  const { behaviour } = (await call(world, null, 'GET', '/payment-sandbox/control')).json()
  expect(behaviour).toMatchObject({ delay: 0, copies: 1, lose: false, refuse: false })
  const other = await openWorld({ settings: { payments: { ...usualPayments, sandboxControl: false } } })
  const replies = [
    await behave(other, { lose: true }),
    await call(other, null, 'GET', '/payment-sandbox/control'),
    await call(other, null, 'POST', '/payment-sandbox/control/send'),
  ]
  // The pattern of a charge's page takes POST alone.
  expect(replies.map((it) => it.statusCode)).toEqual([405, 405, 404])
  await other.close()
})

test.skipIf(!onHosted)('what happens to a charge at the provider is reported', async () => {
  const happen = (id: string, what: string) =>
    call(world, null, 'POST', '/payment-sandbox/control/charge', { payment_id: id, do: what })
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  await happen(id, 'pending')
  expect(await stateOf(world, shop.buyer, id)).toBe('pending')
  await happen(id, 'expire')
  expect(await stateOf(world, shop.buyer, id)).toBe('expired')
  expect((await sandboxPage(world, fields)).statusCode).toBe(404)
  const other = await begun(world, shop.buyer, shop.postId)
  expect((await happen(other.id, 'refund')).statusCode).toBe(404)
  await pay(world, other.fields)
  await happen(other.id, 'dispute')
  await happen(other.id, 'refund')
  expect((await outcomesOf(world)).slice(-4)).toEqual([
    'expired',
    'granted',
    'disputed_there',
    'refunded_there',
  ])
})

test('a refusing sandbox refuses every card', async () => {
  await behave(world, { refuse: true })
  const { id, fields } = await begun(world, shop.buyer, shop.postId)
  await pay(world, fields)
  expect(await stateOf(world, shop.buyer, id)).toBe('refused')
})

test('pages may post forms to the configured provider and to no other origin', async () => {
  const policyOf = async (of: World) =>
    /form-action [^;]+/.exec(
      String((await of.app.inject('/api/health')).headers['content-security-policy']),
    )?.[0]
  expect(await policyOf(world)).toBe("form-action 'self'")
  const payments = {
    ...usualPayments,
    provider: 'link-form',
    url: 'https://pay.example/gateway/form',
  } as const
  const other = await openWorld({ settings: { payments } })
  expect(await policyOf(other)).toBe("form-action 'self' https://pay.example")
  expect((await other.app.inject({ method: 'POST', url: SANDBOX_PATH })).statusCode).toBe(404)
  const { buyer, postId } = await openShop(other)
  expect((await begun(other, buyer, postId)).start).toMatchObject({
    form: { action: 'https://pay.example/gateway/form' },
  })
  await other.close()
})
