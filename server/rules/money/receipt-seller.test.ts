// How receipts name sellers, and when they are qualified invoices.
import { expect, test } from 'vitest'
import { isReaddressed, namedSeller, type SellerFacts } from './receipt-seller.ts'

const facts: SellerFacts = {
  name: '山田 花子',
  registrationNumber: 'T9011001029597',
  registeredOn: '2026-04-01',
  isShown: false,
}
const nameless = { seller: null, registrationNumber: null, isInvoice: false }
const named = { ...nameless, seller: facts.name }
const invoice = { seller: facts.name, registrationNumber: facts.registrationNumber, isInvoice: true }
/** The last moment before the registration in Japan, and the first one with it. */
const [before, from] = [Date.parse('2026-03-31T14:59:59.999Z'), Date.parse('2026-03-31T15:00:00Z')]
const unregistered = { registrationNumber: '', registeredOn: '' }

test.each([
  ['without stored data', undefined, from, 0, nameless],
  ['whose name is given on request', { ...facts, ...unregistered }, from, 0, nameless],
  ['whose name the buyer may see', { ...facts, ...unregistered, isShown: true }, from, 0, named],
  ['with a number', facts, from, 0, invoice],
  ['with a number of a later day', facts, before, 0, nameless],
  [
    'with a number of a later day, whose name the buyer may see',
    { ...facts, isShown: true },
    before,
    0,
    named,
  ],
  ['with a number, after a refund', facts, from, 1, { ...invoice, isInvoice: false }],
])('a receipt of a seller %s', (_, seller, paidAt, refundedAmount, expected) => {
  expect(namedSeller(seller, { paidAt, refundedAmount })).toEqual(expected)
})

test.each([
  [[], false],
  [['甲'], false],
  [['甲', '甲'], false],
  [['甲', '乙'], true],
  [['甲', '乙', '乙'], true],
  [['甲', '乙', '甲'], true],
] as const)('the addressees %j are changed ones: %s', (addressees, expected) => {
  expect(isReaddressed(addressees)).toBe(expected)
})
