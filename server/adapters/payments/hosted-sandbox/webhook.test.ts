// Webhooks are authenticated by time and bytes, and read strictly.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NoticeRequest } from '#server/adapters/payments/provider.ts'
import { readWebhook, REPLAY_WINDOW } from './webhook.ts'

const NOW = Date.parse('2026-12-10T03:00:00Z')
const SECRET = 'k'.repeat(43)
const payment = '01890000-0000-7000-8000-000000000001'
const metadata = { payment, session: 's-1', auth: 'a-1', shop: 'sandbox' }
const charged = { id: 'e-1', type: 'charge.succeeded', charge: 'c-1', amount: 500, metadata }

const macOf = (body: string | Uint8Array, secret = SECRET, time = NOW / 1000) =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
const headerOf = (body: string | Uint8Array, secret = SECRET, time = NOW / 1000) =>
  `t=${time},v1=${macOf(body, secret, time)}`

function request(body: string | Uint8Array, more: Partial<NoticeRequest> & { signature?: string } = {}) {
  const { signature = headerOf(body), ...rest } = more
  const headers = { 'sandbox-signature': signature }
  return { method: 'POST', query: '', headers, body: Buffer.from(body), receivedAt: NOW, ...rest }
}
const read = (...args: Parameters<typeof request>) => readWebhook(request(...args), [SECRET])
const text = JSON.stringify(charged)
const passed = {
  paymentId: payment,
  sessionId: 's-1',
  authId: 'a-1',
  storeId: 'sandbox',
  orderCode: '',
  amount: 500,
}

test.each([
  [charged, { is: 'charged', chargeRef: 'c-1', recurringRef: '', passed }],
  [
    { ...charged, subscription: 'r-1' },
    { is: 'charged', chargeRef: 'c-1', recurringRef: 'r-1', passed },
  ],
  [
    { ...charged, type: 'charge.failed' },
    { is: 'refused', chargeRef: 'c-1', recurringRef: '', passed },
  ],
  [
    { ...charged, type: 'charge.pending' },
    { is: 'pending', chargeRef: 'c-1', recurringRef: '', passed },
  ],
  [
    { ...charged, type: 'page.expired' },
    { is: 'expired', chargeRef: 'c-1', recurringRef: '', passed },
  ],
  [
    { ...charged, type: 'subscription.charge_failed', subscription: 'r-1' },
    { is: 'renewal_failed', chargeRef: 'c-1', recurringRef: 'r-1', passed },
  ],
  [
    { id: 'e', type: 'subscription.stopped', by: 'buyer', subscription: 'r-1' },
    { is: 'stopped', by: 'buyer', chargeRef: '', recurringRef: 'r-1', paymentId: '' },
  ],
  [
    { id: 'e', type: 'charge.refunded', charge: 'c-1', amount: 200, payment },
    { is: 'refunded', chargeRef: 'c-1', amount: 200, paymentId: payment },
  ],
  [
    { id: 'e', type: 'charge.disputed', charge: 'c-1', amount: 500 },
    { is: 'disputed', chargeRef: 'c-1', amount: 500, paymentId: '' },
  ],
])('an event is read: %o', (event, expected) => {
  expect(read(JSON.stringify(event))).toEqual({ is: 'event', event: expected, noticeRef: event.id })
})

test('a signature is of the bytes, the time and one of the keys', () => {
  const bytes = Buffer.from(text)
  bytes[bytes.length - 3] = 0x20
  const others = [
    read(bytes, { signature: headerOf(text) }),
    read(text, { signature: headerOf(text, 'x'.repeat(43)) }),
    read(text, { signature: headerOf(text).replace(/^t=\d+/, `t=${NOW / 1000 + 1}`) }),
    read(`${text} `, { signature: headerOf(text) }),
  ]
  expect(others).toEqual(others.map(() => ({ is: 'problem', why: 'signature', chargeRef: '' })))
  const earlier = headerOf(text, 'earlier-key')
  expect(readWebhook(request(text, { signature: earlier }), [SECRET, 'earlier-key'])).toMatchObject({
    is: 'event',
  })
  const both = `${headerOf(text, 'next-key')},v1=${macOf(text)}`
  expect(read(text, { signature: both })).toMatchObject({ is: 'event' })
})

test.each([
  '',
  'v1=',
  `t=${NOW / 1000}`,
  `t=${NOW / 1000},v1=`,
  `t=${NOW / 1000},v1=${'0'.repeat(64)}`,
  headerOf(text).toUpperCase(),
  `${headerOf(text)},x=1`,
  ` ${headerOf(text)}`,
  `t=-1,v1=${macOf(text)}`,
  `t=${NOW / 1000}${`,v1=${'0'.repeat(64)}`.repeat(4)},v1=${macOf(text)}`,
])('a header of another form is no signature: %s', (signature) => {
  expect(read(text, { signature })).toMatchObject({ is: 'problem', why: 'signature' })
})

test('a signed webhook is accepted within five minutes of its time, before and after it', () => {
  const at = (ms: number) => read(text, { receivedAt: NOW + ms })
  expect([at(REPLAY_WINDOW), at(-REPLAY_WINDOW)]).toMatchObject([{ is: 'event' }, { is: 'event' }])
  const late = [at(REPLAY_WINDOW + 1), at(-REPLAY_WINDOW - 1), at(365 * 24 * 3600_000)]
  expect(late).toEqual(late.map(() => ({ is: 'problem', why: 'stale', chargeRef: '' })))
})

test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('a webhook does not come by %s', (method) => {
  expect(read(text, { method })).toMatchObject({ is: 'problem', why: 'method' })
})

test.each([
  ['encoding', Buffer.from([0x7b, 0xff, 0x7d])],
  ['malformed', ''],
  ['malformed', '{'],
  ['malformed', 'null'],
  ['malformed', '[]'],
  ['malformed', JSON.stringify({ ...charged, type: 'charge.unknown' })],
  ['malformed', JSON.stringify({ ...charged, amount: '500' })],
  ['malformed', JSON.stringify({ ...charged, amount: -500 })],
  ['malformed', JSON.stringify({ ...charged, amount: 500.5 })],
  ['malformed', JSON.stringify({ ...charged, amount: 1e12 })],
  ['malformed', JSON.stringify({ ...charged, charge: "1';--" })],
  ['malformed', JSON.stringify({ ...charged, charge: '1'.repeat(65) })],
  ['malformed', JSON.stringify({ ...charged, metadata: { ...metadata, payment: 'x' } })],
  ['malformed', JSON.stringify({ ...charged, metadata: { ...metadata, auth: undefined } })],
  ['malformed', JSON.stringify({ id: 'e', type: 'subscription.stopped', by: 'buyer' })],
  ['malformed', JSON.stringify({ id: 'e', type: 'subscription.stopped', by: 'x', subscription: 'r' })],
  ['malformed', '['.repeat(30_000)],
])('a signed body is refused as `%s`: %s', (why, body) => {
  expect(read(body)).toEqual({ is: 'problem', why, chargeRef: '' })
})
