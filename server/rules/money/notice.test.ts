// A notice changes a payment only if every field is that of the payment.
import { expect, test } from 'vitest'
import { type NoticedPayment, type NoticeFacts, noticeRefusal } from './notice.ts'

const payment: NoticedPayment = {
  id: 'p',
  provider: 'link-form',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  amounts: [500],
  isRecurring: false,
}
const ofPlan: NoticedPayment = { ...payment, amounts: [500, 800], isRecurring: true }
const notice: NoticeFacts = {
  is: 'charged',
  provider: 'link-form',
  recurringRef: '',
  paymentId: 'p',
  sessionId: 's',
  authId: 'a',
  storeId: '100',
  orderCode: '',
  amount: 500,
}

test.each<Partial<NoticeFacts>>([
  {},
  { storeId: null },
  { orderCode: 'p' },
  { is: 'refused' },
  { recurringRef: '7' },
])('a notice with the fields of the payment is true: %o', (changed) =>
  expect(noticeRefusal({ ...notice, ...changed }, payment)).toBeUndefined(),
)

test.each([
  ['unknown', { paymentId: 'other' }],
  ['provider', { provider: 'sandbox' }],
  ['store', { storeId: '101' }],
  ['auth', { authId: 'b' }],
  ['session', { sessionId: 't' }],
  ['code', { orderCode: 'q' }],
  ['amount', { amount: 499 }],
  ['amount', { amount: 0 }],
  ['amount', { is: 'refused', amount: 1 }],
])('another value is refused as `%s`', (why, changed) => {
  expect(noticeRefusal({ ...notice, ...changed }, payment)).toBe(why)
})

test('a payment of a version that stored no provider is compared by all the rest', () => {
  const before = { ...payment, provider: null }
  expect([noticeRefusal(notice, before), noticeRefusal({ ...notice, authId: 'b' }, before)]).toEqual([
    undefined,
    'auth',
  ])
})

test('a notice of an unknown payment is refused', () => {
  expect(noticeRefusal(notice, undefined)).toBe('unknown')
})

test('a charge of a plan has one of its amounts, and the number of its recurring charge', () => {
  const of = (changed: Partial<NoticeFacts>) =>
    noticeRefusal({ ...notice, recurringRef: '7', ...changed }, ofPlan)
  expect([of({}), of({ amount: 800 }), of({ amount: 801 })]).toEqual([undefined, undefined, 'amount'])
  expect([of({ recurringRef: '' }), of({ recurringRef: '', is: 'refused' })]).toEqual([
    'recurring',
    undefined,
  ])
})
