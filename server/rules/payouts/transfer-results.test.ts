// Tests the reading of the bank's result file, and the refusal of planted errors.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Transfer, writeTransferFile } from './transfer-file.ts'
import { MAX_RESULT_BYTES, readTransferResults } from './transfer-results.ts'

const account = {
  bankCode: '0001',
  bankKana: 'ミズホ',
  branchCode: '001',
  branchKana: 'トウキヨウ',
  accountNumber: '0123456',
}
const transferOf = (payoutNumber: string, amount: number): Transfer => ({
  ...account,
  payoutNumber,
  accountType: '1',
  holder: 'ヤマダ　ハナコ',
  amount,
})

const three = [transferOf('7', 1000), transferOf('8', 2500), transferOf('9', 1)]

function requested(lineEnds: 'crlf' | 'none' = 'crlf', transfers: readonly Transfer[] = three): Uint8Array {
  const requester = { ...account, code: '0000000001', name: 'トドケ', accountType: '1' as const }
  const file = writeTransferFile({ requester, day: '2026-12-30', transfers, lineEnds })
  if (file.is === 'refused') throw new Error(file.why)
  return file.bytes
}

/** The request as latin1 text, which has a character for each byte, with the bank's digits at byte 114. */
function answered(digits: string, lineEnds: 'crlf' | 'none' = 'crlf'): string {
  const text = Buffer.from(requested(lineEnds)).toString('latin1')
  const width = lineEnds === 'crlf' ? 122 : 120
  return Array.from(digits).reduce((file, digit, index) => {
    const at = width * (index + 1) + 113
    return file.slice(0, at) + digit + file.slice(at + 1)
  }, text)
}

const read = (file: string) => readTransferResults(Buffer.from(file, 'latin1'))

const expected = (codes: string) =>
  [
    ['7', 1000],
    ['8', 2500],
    ['9', 1],
  ].map(([payoutNumber, amount], index) => ({
    payoutNumber,
    amount,
    bankCode: '0001',
    branchCode: '001',
    accountType: '1',
    accountNumber: '0123456',
    outcome: codes[index] === '0' ? 'paid' : 'returned',
    code: codes[index],
  }))

test.each<[name: string, file: string]>([
  ['CRLF', answered('021')],
  ['no line ends', answered('021', 'none')],
  ['LF alone', answered('021').replaceAll('\r\n', '\n')],
  ['an end-of-file byte', `${answered('021')}\u001A`],
  ['no line end after the last record', answered('021').slice(0, -2)],
])('results with %s are read', (_, file) => {
  expect(read(file)).toEqual({
    is: 'read',
    requester: { code: '0000000001', bankCode: '0001' },
    day: '1230',
    results: expected('021'),
    total: 3501,
  })
})

/** A result file with one record changed. */
const changed = (line: number, change: (record: string) => string): string =>
  answered('000')
    .split('\r\n')
    .map((record, index) => (index === line - 1 ? change(record) : record))
    .join('\r\n')
const put = (at: number, text: string) => (record: string) =>
  record.slice(0, at - 1) + text + record.slice(at - 1 + text.length)

test.each<[name: string, file: string, first: object]>([
  [
    'the request itself, without outcomes',
    Buffer.from(requested()).toString('latin1'),
    { line: 2, why: 'outcome' },
  ],
  ['a letter as outcome', changed(3, put(114, 'X')), { line: 3, why: 'outcome' }],
  ['a short record', changed(3, (it) => it.slice(0, 119)), { line: 3, why: 'length' }],
  ['a long record', changed(3, (it) => `${it} `), { line: 4, why: 'length' }],
  ['an empty line', changed(3, () => ''), { line: 3, why: 'length' }],
  ['another first digit', changed(3, put(1, '5')), { line: 3, why: 'record' }],
  ['a letter in the amount', changed(3, put(90, 'O')), { line: 3, why: 'digits', field: 'amount' }],
  ['a space in the bank code', changed(2, put(2, ' ')), { line: 2, why: 'digits', field: 'bankCode' }],
  ['an amount of zero', changed(3, put(81, '0000000000')), { line: 3, why: 'amount' }],
  ['payout number 0', changed(3, put(92, '0000000000')), { line: 3, why: 'number' }],
  ['a payout number twice', changed(3, put(92, '0000000007')), { line: 3, why: 'repeated' }],
  ['another kind of file', changed(1, put(2, '11')), { line: 1, why: 'service' }],
  ['a changed amount', changed(3, put(81, '0000002501')), { line: 5, why: 'total' }],
  ['another count', changed(5, put(2, '000004')), { line: 5, why: 'count' }],
  ['another sum', changed(5, put(8, '000000003502')), { line: 5, why: 'total' }],
  ['a byte of a kanji', changed(3, put(51, '\u0088')), { line: 3, why: 'characters' }],
  ['a NUL', changed(3, put(51, '\0')), { line: 3, why: 'characters' }],
  ['no header', answered('000').slice(122), { line: 1, why: 'order' }],
  ['two headers', answered('000').slice(0, 122) + answered('000'), { line: 2, why: 'order' }],
  [
    'a transfer after the trailer',
    answered('000') + answered('000').slice(122, 244),
    { line: 7, why: 'order' },
  ],
  [
    'a trailer before the header',
    answered('000').slice(488, 610) + answered('000'),
    { line: 1, why: 'order' },
  ],
  ['a second trailer', answered('000').slice(0, 610) + answered('000').slice(488), { line: 6, why: 'order' }],
  [
    'an end that lacks a byte before an end-of-file byte',
    `${answered('000').slice(0, -3)}\u001A`,
    { line: 6, why: 'length' },
  ],
  ['a second end', answered('000') + answered('000').slice(-122), { line: 7, why: 'order' }],
  ['no end', answered('000').slice(0, -122), { line: 6, why: 'missing' }],
  ['no trailer', changed(5, put(1, '9')), { line: 5, why: 'order' }],
  ['a file that is cut off', answered('000').slice(0, 300), { line: 3, why: 'length' }],
  ['nothing', '', { line: 1, why: 'missing' }],
])('%s is refused with its line', (_, file, first) => {
  const it = read(file)
  if (it.is === 'read') throw new Error('it was read')
  expect(it.problems[0]).toStrictEqual(first)
})

test('every malformed line is listed, at most a hundred', () => {
  const it = read('x\n'.repeat(1000))
  if (it.is === 'read') throw new Error('it was read')
  expect(it.problems).toHaveLength(100)
  expect(it.problems.at(-1)).toEqual({ line: 100, why: 'length' })
})

test('a payout number of ten digits has its inner zeros, a shorter one no leading zeros', () => {
  const it = read(changed(2, put(92, '1000000020')).replace('0000000008', '0000000800'))
  if (it.is === 'refused') throw new Error('it was refused')
  expect(it.results.map(({ payoutNumber }) => payoutNumber)).toEqual(['1000000020', '800', '9'])
})

test('the largest file that can be is read', () => {
  const transfers = Array.from({ length: 9999 }, (_, index) => transferOf(String(index + 1), 1))
  const bytes = Buffer.concat([requested('crlf', transfers), Buffer.of(0x1a)])
  for (let line = 1; line <= 9999; line += 1) bytes[122 * line + 113] = 0x30
  expect(bytes).toHaveLength(MAX_RESULT_BYTES)
  expect(readTransferResults(bytes)).toMatchObject({ is: 'read', total: 9999 })
})

test('a file above the limit is refused before it is read', () => {
  expect(readTransferResults(new Uint8Array(MAX_RESULT_BYTES + 1))).toEqual({
    is: 'refused',
    problems: [{ line: 1, why: 'too_large' }],
  })
})

test('no single changed byte makes an amount, an account or a payout of another request', () => {
  const right = answered('000')
  fc.assert(
    fc.property(fc.nat(right.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const it = read(right.slice(0, at) + String.fromCharCode(byte) + right.slice(at + 1))
      if (it.is === 'refused') return
      // A digit of an account or a number is no check digit; the caller compares them with its payout.
      expect(it.results).toHaveLength(3)
      expect(it.total).toBe(3501)
    }),
    { numRuns: 2000, seed: 70 },
  )
})

test('random bytes are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      expect(readTransferResults(bytes).is).toBe('refused')
    }),
    { numRuns: 500, seed: 70 },
  )
})
