// The provider's form has the specified fields in order, and notices are read strictly.
import { expect, test } from 'vitest'
import { createLinkForm } from './link-form.ts'
import type { PaymentForm, PaymentRequest } from './provider.ts'
import { readLinkNotice, readNoticeQuery } from './notice-query.ts'

const shop = {
  url: 'https://pay.example/form',
  storeId: '123456',
  sendsCod: false,
  planJob: 'AUTH',
  cardJob: 'CHECK',
  isNoticeAddress: () => true,
}
const payment = {
  id: 'p-1',
  sessionId: 's-1',
  authId: 'a-1',
  amount: 500,
  itemName: 'とどけの有料投稿',
  chargeDay: null,
  registersOnly: false,
  returnUrl: 'https://todoke.test/payment/return?payment_id=p-1&session_id=s-1',
  expiresAt: new Date('2026-12-10T05:00:00Z'),
}
const specified = 'am sf aofm tx jb aid payment_id session_id auth_id inm'
const id = '01890000-0000-7000-8000-000000000001'
const right = `gid=30486154&rst=1&ap=000306&ec=&god=30485311&cod=&am=500&tx=0&sf=0&ta=500&payment_id=${id}&session_id=s-1&auth_id=a-1`

/** The form to which a payment leads. */
async function formOf(given: typeof shop, of: PaymentRequest = payment): Promise<PaymentForm> {
  const start = await createLinkForm(given).begin(of)
  if (start.is !== 'form') throw new Error('the link form is a form')
  return start.form
}

test('the form has exactly the fields of the specification, and `cod` where the provider wants it', async () => {
  const { action, fields } = await formOf(shop)
  expect(action).toBe(shop.url)
  expect(fields.map((it) => it.name).join(' ')).toBe(specified)
  expect(Object.fromEntries(fields.map((it) => [it.name, it.value]))).toEqual({
    am: '500',
    sf: '0',
    aofm: '500',
    tx: '0',
    jb: 'CAPTURE',
    aid: '123456',
    payment_id: 'p-1',
    session_id: 's-1',
    auth_id: 'a-1',
    inm: 'とどけの有料投稿',
  })
  const withCod = (await formOf({ ...shop, sendsCod: true })).fields
  expect(withCod.at(-1)).toEqual({ name: 'cod', value: 'p-1' })
  expect(withCod).toHaveLength(11)
})

test('the form of a plan has the fields of the recurring charge besides, and the configured `jb`', async () => {
  const { fields } = await formOf(shop, { ...payment, chargeDay: 28 })
  expect(fields.map((it) => it.name).join(' ')).toBe(`${specified} acam actx acsf actp ac1`)
  expect(Object.fromEntries(fields.map((it) => [it.name, it.value]))).toMatchObject({
    am: '500',
    jb: 'AUTH',
    acam: '500',
    actx: '0',
    acsf: '0',
    actp: '4',
    ac1: '28',
  })
  const withCod = (await formOf({ ...shop, sendsCod: true }, { ...payment, chargeDay: 1 })).fields
  expect(withCod.map((it) => it.name).join(' ')).toBe(`${specified} cod acam actx acsf actp ac1`)
})

test('a form that changes a card takes no money, and charges from the next day of the month on', async () => {
  const { fields } = await formOf(shop, { ...payment, chargeDay: 28, registersOnly: true })
  expect(fields.map((it) => it.name).join(' ')).toBe(`${specified} acam actx acsf actp ac1`)
  expect(Object.fromEntries(fields.map((it) => [it.name, it.value]))).toMatchObject({
    am: '0',
    jb: 'CHECK',
    acam: '500',
    ac1: '28',
  })
})

test('a notice of no yen with a recurring charge is the registration of a card', () => {
  const none = right.replace('am=500', 'am=0').replace('ta=500', 'ta=0')
  expect(readNoticeQuery(`${none}&acid=r-1`)).toMatchObject({
    event: { is: 'registered', recurringRef: 'r-1' },
  })
  expect(readNoticeQuery(none)).toMatchObject({ event: { is: 'charged' } })
})

test('the link form says that it can change nothing after a charge', () => {
  const { stop, resume, changeAmount, refund, list } = createLinkForm(shop)
  expect([stop, resume, changeAmount, refund, list]).toEqual(Array.from({ length: 5 }, () => undefined))
})

test('a notice of the link form comes by GET alone', () => {
  const request = { query: right, headers: {}, body: new Uint8Array(), receivedAt: 0 }
  expect(readLinkNotice({ ...request, method: 'GET' })).toEqual(readNoticeQuery(right))
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(readLinkNotice({ ...request, method })).toEqual({ is: 'problem', why: 'method', chargeRef: '' })
})

test('a notice is read, also with further fields and without `aid`', () => {
  const passed = {
    paymentId: id,
    sessionId: 's-1',
    authId: 'a-1',
    storeId: null,
    orderCode: '',
    amount: 500,
  }
  const event = { is: 'charged', chargeRef: '30486154', recurringRef: '', passed }
  expect(readNoticeQuery(right)).toEqual({ is: 'event', event })
  expect(readNoticeQuery(`${right}&aid=123456&em=a%40b.example`)).toEqual({
    is: 'event',
    event: { ...event, passed: { ...passed, storeId: '123456' } },
  })
  const ofPlan = `${right}&acid=77`
  expect(readNoticeQuery(ofPlan)).toEqual({ is: 'event', event: { ...event, recurringRef: '77' } })
  // Without a recurring charge every other result is a refused card.
  for (const rst of ['2', '3', '4'])
    expect(readNoticeQuery(right.replace('rst=1', `rst=${rst}`))).toMatchObject({ event: { is: 'refused' } })
  const about = { chargeRef: '30486154', recurringRef: '77', passed }
  expect(['2', '3', '4'].map((rst) => readNoticeQuery(ofPlan.replace('rst=1', `rst=${rst}`)))).toEqual([
    { is: 'event', event: { is: 'stopped', by: 'provider', ...about } },
    { is: 'event', event: { is: 'renewal_failed', ...about } },
    { is: 'event', event: { is: 'stopped', by: 'buyer', ...about } },
  ])
})

test.each([
  [`rst=2&cod=${id}`, { is: 'stopped', by: 'provider', chargeRef: '', recurringRef: '', paymentId: id }],
  [
    `rst=4&cod=${id}&acid=77&gid=9`,
    { is: 'stopped', by: 'buyer', chargeRef: '9', recurringRef: '77', paymentId: id },
  ],
  ['rst=3&acid=77&cod=', { is: 'renewal_failed', chargeRef: '', recurringRef: '77', paymentId: '' }],
])('a notice of a recurring charge without the fields of the form is read: %s', (query, event) => {
  expect(readNoticeQuery(query)).toEqual({ is: 'event', event })
})

test.each([`rst=1&cod=${id}&acid=77`, 'rst=2', `rst=2&cod=${id}&acid=%20`, 'rst=2&cod=x&acid=77'])(
  'such a notice never charges, and needs one readable number: %s',
  (query) => expect(readNoticeQuery(query)).toMatchObject({ is: 'problem' }),
)

test.each([
  ['encoding', right.replace('ap=000306', 'ap=%E3%81')],
  ['encoding', `${right}&x=%zz`],
  ['repeated', `${right}&ta=500`],
  ['repeated', `${right}&%74a=1`],
  ['missing', ''],
  ['missing', right.replace('gid=30486154&', '')],
  ['missing', right.replace('ta=500', 'ta=')],
  ['missing', right.replace('auth_id=a-1', '')],
  ['malformed', right.replace('ta=500', 'ta=-500')],
  ['malformed', right.replace('ta=500', 'ta=5e2')],
  ['malformed', right.replace('ta=500', 'ta=0500')],
  ['malformed', right.replace('ta=500', 'ta=99999999999999999999')],
  ['malformed', right.replace('ta=500', 'ta=%EF%BC%95%EF%BC%90%EF%BC%90')],
  ['malformed', right.replace('rst=1', 'rst=9')],
  ['malformed', right.replace('gid=30486154', `gid=${'1'.repeat(65)}`)],
  ['malformed', right.replace(id, 'x')],
  ['sum', right.replace('tx=0', 'tx=50')],
])('a notice is refused as `%s`: %s', (why, query) => {
  expect(readNoticeQuery(query)).toMatchObject({ is: 'problem', why })
})

test('the number of an unreadable notice is named where it can be read', () => {
  expect(readNoticeQuery(right.replace('ta=500', 'ta=x'))).toEqual({
    is: 'problem',
    why: 'malformed',
    chargeRef: '30486154',
  })
  expect(readNoticeQuery(right.replace('gid=30486154', 'gid=%00'))).toMatchObject({ chargeRef: '' })
})
