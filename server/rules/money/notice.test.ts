// A notice changes a payment only if every field is that of the payment.
import { expect, test } from 'vitest'
import { type NoticedPayment, type NoticeFacts, noticeRefusal } from './notice.ts'

const payment: NoticedPayment = {
  id: 'p',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  amounts: [500],
  isRecurring: false,
}
const ofPlan: NoticedPayment = { ...payment, amounts: [500, 800], isRecurring: true }
const notice: NoticeFacts = {
  gid: 'g',
  result: '1',
  acid: '',
  paymentId: 'p',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  orderCode: '',
  total: 500,
}

test.each<Partial<NoticeFacts>>([{}, { storeId: null }, { orderCode: 'p' }, { result: '2' }, { acid: '7' }])(
  'a notice with the fields of the payment is true: %o',
  (changed) => expect(noticeRefusal({ ...notice, ...changed }, payment)).toBeUndefined(),
)

test.each([
  ['unknown', { paymentId: 'other' }],
  ['store', { storeId: '101' }],
  ['auth', { authId: 'b' }],
  ['session', { sessionId: 't' }],
  ['code', { orderCode: 'q' }],
  ['amount', { total: 499 }],
  ['amount', { total: 0 }],
  ['amount', { result: '2', total: 1 }],
])('another value is refused as `%s`', (why, changed) => {
  expect(noticeRefusal({ ...notice, ...changed }, payment)).toBe(why)
})

test('a notice of an unknown payment is refused', () => {
  expect(noticeRefusal(notice, undefined)).toBe('unknown')
})

test('a charge of a plan has one of its amounts, and the number of its recurring charge', () => {
  const of = (changed: Partial<NoticeFacts>) => noticeRefusal({ ...notice, acid: '7', ...changed }, ofPlan)
  expect([of({}), of({ total: 800 }), of({ total: 801 })]).toEqual([undefined, undefined, 'amount'])
  expect([of({ acid: '' }), of({ acid: '', result: '2' })]).toEqual(['acid', undefined])
})
