// A notice changes a payment only if every field is that of the payment.
import { expect, test } from 'vitest'
import { type NoticedPayment, type NoticeFacts, noticeDecision } from './notice.ts'

const payment: NoticedPayment = {
  id: 'p',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  amount: 500,
  state: 'pending',
  chargeId: null,
}
const notice: NoticeFacts = {
  gid: 'g',
  result: '1',
  paymentId: 'p',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  orderCode: '',
  total: 500,
}

test('a notice of a charge with the fields of the payment is the event of its charge', () => {
  const event = { is: 'charged', chargeId: 'g', amount: 500 }
  expect(noticeDecision(notice, payment)).toEqual({ is: 'event', event })
  expect(noticeDecision({ ...notice, storeId: null }, payment)).toEqual({ is: 'event', event })
  expect(noticeDecision({ ...notice, orderCode: 'p' }, payment)).toEqual({ is: 'event', event })
})

test.each(['2', '3', '4', '', '01'])('the result %o is a refused card', (result) => {
  expect(noticeDecision({ ...notice, result }, payment)).toEqual({ is: 'event', event: { is: 'refused' } })
})

test.each([
  ['unknown', { paymentId: 'other' }],
  ['store', { storeId: '101' }],
  ['auth', { authId: 'b' }],
  ['session', { sessionId: 't' }],
  ['code', { orderCode: 'q' }],
  ['amount', { total: 499 }],
  ['amount', { total: 0 }],
])('another value is refused as `%s`', (why, changed) => {
  expect(noticeDecision({ ...notice, ...changed }, payment)).toEqual({ is: 'refused', why })
})

test('a notice of an unknown payment is refused, and so is a failed one with another amount', () => {
  expect(noticeDecision(notice, undefined)).toEqual({ is: 'refused', why: 'unknown' })
  expect(noticeDecision({ ...notice, result: '2', total: 1 }, payment)).toEqual({
    is: 'refused',
    why: 'amount',
  })
})
