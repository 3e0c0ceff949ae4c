// Compares results of the bank with a written transfer file, field by field.
import { expect, test } from 'vitest'
import { headerDifference, readSentFile, transferDifference } from './sent-file.ts'
import { type Transfer, writeTransferFile } from './transfer-file.ts'
import type { TransferResult } from './transfer-results.ts'

const requester = {
  code: '0001234567',
  name: 'トドケ',
  bankCode: '0001',
  bankKana: 'ミズホ',
  branchCode: '001',
  branchKana: 'トウキヨウ',
  accountType: '1',
  accountNumber: '0123456',
} as const

const account = { bankCode: '9900', branchCode: '018', accountType: '1', accountNumber: '0012345' } as const
const transferOf = (payoutNumber: string, amount: number): Transfer => ({
  ...account,
  payoutNumber,
  bankKana: 'ユウチヨ',
  branchKana: 'ゼロイチハチ',
  holder: 'ヤマダ　ショウコ',
  amount,
})

function bytes(): Uint8Array {
  const transfers = [transferOf('42', 12_345), transferOf('1000000020', 1), transferOf('800', 9_999_999_999)]
  const file = writeTransferFile({ requester, day: '2026-12-30', transfers, lineEnds: 'crlf' })
  if (file.is === 'refused') throw new Error(`${file.field} ${file.why}`)
  return file.bytes
}
const sent = () => readSentFile(bytes())

test('a written file is read with its header, and its transfers by the numbers of their payouts', () => {
  const { header, transfers } = sent()
  expect(header).toMatchObject({ record: '1', requesterCode: '0001234567', bankCode: '0001', day: '1230' })
  expect([...transfers].map(([number, it]) => [number, it.holder, it.amount])).toEqual([
    ['42', 'ﾔﾏﾀﾞ ｼﾖｳｺ', '0000012345'],
    ['1000000020', 'ﾔﾏﾀﾞ ｼﾖｳｺ', '0000000001'],
    ['800', 'ﾔﾏﾀﾞ ｼﾖｳｺ', '9999999999'],
  ])
})

test('stored bytes that are no transfer file are refused', () => {
  const broken = bytes()
  broken[122 + 10] = 0
  expect(() => readSentFile(broken)).toThrow(new Error('a stored transfer file cannot be read'))
  const none = new Error('a stored transfer file has no header')
  expect(() => readSentFile(bytes().subarray(122))).toThrow(none)
  expect(() => readSentFile(new Uint8Array())).toThrow(none)
})

test.each([
  ['the requester that was sent', { code: '0001234567', bankCode: '0001' }, undefined],
  ['another requester', { code: '0001234568', bankCode: '0001' }, 'requesterCode'],
  ['another bank', { code: '0001234567', bankCode: '0005' }, 'bankCode'],
  ['another requester at another bank', { code: '0001234568', bankCode: '0005' }, 'requesterCode'],
])('results of %s differ in %j', (_, other, field) => {
  const read = { is: 'read', requester: other, day: '1230', results: [], total: 0 } as const
  expect(headerDifference(sent(), read)).toBe(field)
})

const result: TransferResult = {
  ...account,
  payoutNumber: '42',
  amount: 12_345,
  outcome: 'returned',
  code: '1',
}

test.each<[name: string, change: Partial<TransferResult>, field: string | undefined]>([
  ['the transfer that was sent', {}, undefined],
  ['the largest amount', { payoutNumber: '800', amount: 9_999_999_999 }, undefined],
  ['a payout number with zeros inside', { payoutNumber: '1000000020', amount: 1 }, undefined],
  ['a payout that is not in the file', { payoutNumber: '43' }, 'payoutNumber'],
  ['another bank', { bankCode: '9901' }, 'bankCode'],
  ['another branch', { branchCode: '019' }, 'branchCode'],
  ['another type of account', { accountType: '4' }, 'accountType'],
  ['another account', { accountNumber: '0012346' }, 'accountNumber'],
  ['one yen more', { amount: 12_346 }, 'amount'],
  ['the amount of another payout', { payoutNumber: '800' }, 'amount'],
  ['another account and another amount', { accountNumber: '0012346', amount: 1 }, 'accountNumber'],
])('a result with %s (%j) differs in %j', (_, change, field) => {
  expect(transferDifference(sent(), { ...result, ...change })).toBe(field)
})
