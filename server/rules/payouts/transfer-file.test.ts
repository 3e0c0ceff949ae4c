// Tests the transfer file by an independent reader with the published offsets.
import { describe, expect, test } from 'vitest'
import { type Requester, type Transfer, type TransferOrder, writeTransferFile } from './transfer-file.ts'

const requester = {
  code: '0001234567',
  name: 'カ）トドケ',
  bankCode: '0001',
  bankKana: 'ミズホ',
  branchCode: '001',
  branchKana: 'トウキヨウ',
  accountType: '1',
  accountNumber: '0123456',
} as const

const transfer: Transfer = {
  payoutNumber: '42',
  bankCode: '9900',
  bankKana: 'ユウチヨ',
  branchCode: '018',
  branchKana: 'ゼロイチハチ',
  accountType: '1',
  accountNumber: '0012345',
  holder: 'ヤマダ　ショウコ',
  amount: 12_345,
}

const order: TransferOrder = { requester, day: '2026-12-30', transfers: [transfer], lineEnds: 'crlf' }
const second: Transfer = {
  ...transfer,
  payoutNumber: '9999999999',
  accountType: '4',
  amount: 9_999_999_999,
  holder: 'ガギグゲゴガギグゲゴガギグゲゴガギグゲゴ',
}

function written(changed: Partial<TransferOrder> = {}) {
  const file = writeTransferFile({ ...order, ...changed })
  if (file.is === 'refused') throw new Error(`${file.field} ${file.why}`)
  return file
}

/** The records of a file, by Shift_JIS of the platform. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines = []
  for (let at = 0; at < bytes.length; at += 122) {
    expect([...bytes.subarray(at + 120, at + 122)]).toEqual([0x0d, 0x0a])
    lines.push(bytes.subarray(at, at + 120))
  }
  return lines
}

/** The text of a part, as a bank's manual names it: the first column from 1, and the number of columns. */
const part = (line: Uint8Array | undefined, from: number, columns: number): string =>
  new TextDecoder('shift_jis').decode(line?.subarray(from - 1, from - 1 + columns))

describe('a file of two transfers', () => {
  const fileOf = () => written({ transfers: [transfer, second] })
  const records = () => linesOf(fileOf().bytes)

  test('it has five records of 120 bytes, each with a line end', () => {
    const file = fileOf()
    expect(file.is).toBe('written')
    expect(file.bytes).toHaveLength(5 * 122)
    expect([file.count, file.total]).toEqual([2, 10_000_012_344])
  })

  test('the header has the requester and the day in the columns of the format', () => {
    const [header] = records()
    expect(part(header, 1, 4)).toBe('1210')
    expect(part(header, 5, 10)).toBe('0001234567')
    expect(part(header, 15, 40)).toBe('ｶ)ﾄﾄﾞｹ'.padEnd(40))
    expect(part(header, 55, 4)).toBe('1230')
    expect(part(header, 59, 4)).toBe('0001')
    expect(part(header, 63, 15)).toBe('ﾐｽﾞﾎ'.padEnd(15))
    expect(part(header, 78, 3)).toBe('001')
    expect(part(header, 81, 15)).toBe('ﾄｳｷﾖｳ'.padEnd(15))
    expect(part(header, 96, 8)).toBe('10123456')
    expect(part(header, 104, 17)).toBe(' '.repeat(17))
  })

  test('a transfer has account, holder, amount and payout number in the columns of the format', () => {
    const [, first] = records()
    expect(part(first, 1, 5)).toBe('29900')
    expect(part(first, 6, 15)).toBe('ﾕｳﾁﾖ'.padEnd(15))
    expect(part(first, 21, 3)).toBe('018')
    expect(part(first, 24, 15)).toBe('ｾﾞﾛｲﾁﾊﾁ'.padEnd(15))
    expect(part(first, 39, 4)).toBe('0000')
    expect(part(first, 43, 1)).toBe('1')
    expect(part(first, 44, 7)).toBe('0012345')
    expect(part(first, 51, 30)).toBe('ﾔﾏﾀﾞ ｼﾖｳｺ'.padEnd(30))
    expect(part(first, 81, 10)).toBe('0000012345')
    expect(part(first, 91, 1)).toBe('0')
    expect(part(first, 92, 10)).toBe('0000000042')
    expect(part(first, 102, 10)).toBe(' '.repeat(10))
    expect(part(first, 112, 1)).toBe('7')
    expect(part(first, 113, 8)).toBe(' '.repeat(8))
  })

  test('the largest amount fits, and a holder is cut at 30 bytes between two kana', () => {
    const [, , last] = records()
    expect(part(last, 43, 1)).toBe('4')
    expect(part(last, 51, 30)).toBe('ｶﾞｷﾞｸﾞｹﾞｺﾞ'.repeat(3))
    expect(part(last, 81, 10)).toBe('9999999999')
    expect(part(last, 92, 10)).toBe('9999999999')
  })

  test('trailer and end have count and sum', () => {
    const [, , , trailer, end] = records()
    expect(part(trailer, 1, 7)).toBe('8000002')
    expect(part(trailer, 8, 12)).toBe('010000012344')
    expect(part(trailer, 20, 101)).toBe(' '.repeat(101))
    expect(part(end, 1, 120)).toBe(`9${' '.repeat(119)}`)
  })
})

test('without line ends the file has the records alone', () => {
  expect(written({ lineEnds: 'none' }).bytes).toHaveLength(4 * 120)
})

test.each<[name: string, field: string, why: string, change: Partial<Transfer>]>([
  ['an amount of zero', 'amount', 'number', { amount: 0 }],
  ['a negative amount', 'amount', 'number', { amount: -1 }],
  ['a part of a yen', 'amount', 'number', { amount: 1.5 }],
  ['an amount of eleven digits', 'amount', 'number', { amount: 10_000_000_000 }],
  ['an amount beyond every total', 'amount', 'number', { amount: 1e20 }],
  ['no number', 'amount', 'number', { amount: Number.NaN }],
  ['a bank of three digits', 'bankCode', 'number', { bankCode: '001' }],
  ['a bank of five digits', 'bankCode', 'number', { bankCode: '00010' }],
  ['a branch of four digits', 'branchCode', 'number', { branchCode: '0018' }],
  ['a branch with full-width digits', 'branchCode', 'number', { branchCode: '０１８' }],
  ['an account of six digits', 'accountNumber', 'number', { accountNumber: '123456' }],
  ['an account of eight digits', 'accountNumber', 'number', { accountNumber: '00123450' }],
  ['a type of two digits', 'accountType', 'number', { accountType: '14' as '4' }],
  ['a type that is none', 'accountType', 'number', { accountType: '3' as '4' }],
  ['a payout number of zero', 'payoutNumber', 'number', { payoutNumber: '0' }],
  ['a payout number of eleven digits', 'payoutNumber', 'number', { payoutNumber: '12345678901' }],
  ['a holder in kanji', 'holder', 'characters', { holder: '山田花子' }],
  ['a holder with a line end inside', 'holder', 'characters', { holder: 'ヤマダ\r\n9' }],
  ['no holder', 'holder', 'empty', { holder: '　' }],
  ['a bank name with another sign', 'bankName', 'characters', { bankKana: 'ミズホ＆' }],
  ['no bank name', 'bankName', 'empty', { bankKana: '' }],
  ['a branch name in kanji', 'branchName', 'characters', { branchKana: '本店' }],
  ['no branch name', 'branchName', 'empty', { branchKana: '　' }],
])('%s is refused with the transfer: %s, %s', (_, field, why, change) => {
  const transfers = [second, { ...transfer, ...change }]
  expect(writeTransferFile({ ...order, transfers })).toEqual({ is: 'refused', transfer: 1, field, why })
})

test('a payout number that is in the file twice is refused', () => {
  expect(writeTransferFile({ ...order, transfers: [transfer, { ...second, payoutNumber: '42' }] })).toEqual({
    is: 'refused',
    transfer: 1,
    field: 'payoutNumber',
    why: 'repeated',
  })
})

test('of several transfers that are refused the first one is named', () => {
  const transfers = [transfer, { ...second, amount: 0 }, { ...second, payoutNumber: '42' }]
  const first = { is: 'refused', transfer: 1, field: 'amount', why: 'number' }
  expect(writeTransferFile({ ...order, transfers })).toEqual(first)
})

test.each<[name: string, field: string, why: string, change: Partial<TransferOrder>]>([
  ['no transfers', 'transfers', 'empty', { transfers: [] }],
  ['a Saturday', 'day', 'day', { day: '2026-11-28' }],
  ['New Year’s Eve', 'day', 'day', { day: '2026-12-31' }],
  ['a day in another form', 'day', 'day', { day: '20261230' }],
  ['a day with a sign before it', 'day', 'day', { day: '+2026-12-30' }],
  ['a day with a time after it', 'day', 'day', { day: '2026-12-30T00:00' }],
])('%s is refused for the whole file: %s, %s', (_, field, why, change) => {
  expect(writeTransferFile({ ...order, ...change })).toEqual({ is: 'refused', transfer: null, field, why })
})

test.each<[name: string, field: string, why: string, change: Record<string, string>]>([
  ['a code of nine digits', 'requesterCode', 'number', { code: '123456789' }],
  ['a code of eleven digits', 'requesterCode', 'number', { code: '01234567890' }],
  ['a type of savings, which only a holder has', 'accountType', 'number', { accountType: '4' }],
  ['a type of two digits', 'accountType', 'number', { accountType: '19' }],
  ['a name in hiragana', 'requesterName', 'characters', { name: 'とどけ' }],
  ['no name', 'requesterName', 'empty', { name: '' }],
  ['no bank', 'bankCode', 'number', { bankCode: '' }],
])('a requester with %s is refused for the whole file: %s, %s', (_, field, why, change) => {
  const other = { ...requester, ...change } as Requester
  expect(writeTransferFile({ ...order, requester: other })).toEqual({
    is: 'refused',
    transfer: null,
    field,
    why,
  })
})

const many = (count: number, amount: number): Transfer[] =>
  Array.from({ length: count }, (_, index) => ({ ...transfer, payoutNumber: String(index + 1), amount }))

test('a file has at most 9,999 transfers', () => {
  expect(written({ transfers: many(9999, 1) }).total).toBe(9999)
  expect(writeTransferFile({ ...order, transfers: many(10_000, 1) })).toEqual({
    is: 'refused',
    transfer: null,
    field: 'transfers',
    why: 'too_many',
  })
})

test('a sum of thirteen digits is refused', () => {
  const rest = { ...transfer, payoutNumber: '101' }
  const largest = written({ transfers: [...many(100, 9_999_999_999), { ...rest, amount: 99 }] })
  expect(largest.total).toBe(999_999_999_999)
  expect(part(linesOf(largest.bytes).at(-2), 8, 12)).toBe('999999999999')
  const transfers = [...many(100, 9_999_999_999), { ...rest, amount: 100 }]
  const above = { is: 'refused', transfer: null, field: 'total', why: 'too_long' }
  expect(writeTransferFile({ ...order, transfers })).toEqual(above)
})
