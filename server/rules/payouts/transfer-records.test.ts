// Records of a transfer file: which values fit, and what is read of bytes.
import { expect, test } from 'vitest'
import { decodeRecord, encodeRecord } from './transfer-records.ts'

const data = {
  bankCode: '9900',
  bankName: 'ﾕｳﾁﾖ',
  branchCode: '018',
  branchName: 'ｾﾞﾛｲﾁﾊﾁ',
  clearingHouse: '0000',
  accountType: '1',
  accountNumber: '0012345',
  holder: 'ﾊﾟ-(ｱ)A.9',
  amount: '0000012345',
  isNew: '0',
  payoutNumber: '0000000042',
  delivery: '7',
}

function encoded(values: Partial<typeof data> = {}): Uint8Array {
  const bytes = encodeRecord('data', { ...data, ...values })
  if (!(bytes instanceof Uint8Array)) throw new Error(`${bytes.field} ${bytes.why}`)
  return bytes
}

test('a record is read as it was written, its digits with their zeros and its texts without spaces at the end', () => {
  expect(decodeRecord(encoded())).toEqual({
    is: 'data',
    values: { ...data, record: '2', customerCode: '', identification: '', outcome: '', unused: '' },
  })
})

test('a text is read with the spaces before and inside it', () => {
  expect(decodeRecord(encoded({ holder: ' ﾔﾏﾀﾞ  ｼﾖｳｺ ' }))).toMatchObject({ values: { holder: ' ﾔﾏﾀﾞ  ｼﾖｳｺ' } })
})

test('values that fill their fields are written', () => {
  const full = { bankName: 'ｱ'.repeat(15), holder: 'ﾝ'.repeat(30), amount: '9999999999' }
  expect(decodeRecord(encoded(full))).toMatchObject({ is: 'data', values: full })
})

test.each<[name: string, field: string, why: string, value: string]>([
  ['a letter', 'amount', 'characters', 'A'],
  ['a letter before digits', 'amount', 'characters', 'A1'],
  ['a letter after digits', 'amount', 'characters', '1A'],
  ['a sign', 'amount', 'characters', '-1'],
  ['eleven digits', 'amount', 'too_long', '10000000000'],
  ['a kanji', 'holder', 'characters', '山'],
  ['a small letter', 'holder', 'characters', 'a'],
  ['a line end', 'holder', 'characters', 'ｱ\r\n'],
  ['31 kana', 'holder', 'too_long', 'ｱ'.repeat(31)],
])('%s in the field %s is refused: %s', (_, field, why, value) => {
  expect(encodeRecord('data', { ...data, [field]: value })).toEqual({ field, why })
})

test('each byte of a text is read as Shift_JIS has it, and all others are refused', () => {
  const bytes = encoded()
  for (let byte = 0; byte <= 0xff; byte += 1) {
    // The first of the columns that a request does not use.
    bytes.set([byte, 0x2e], 113)
    const isCharacter = (byte >= 0x20 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xdf)
    const outcome = new TextDecoder('shift_jis').decode(Uint8Array.of(byte)).trimEnd()
    const record = decodeRecord(bytes)
    if (isCharacter) expect(record).toMatchObject({ is: 'data', values: { outcome, unused: '.' } })
    else expect(record).toEqual({ is: 'broken', why: 'characters' })
  }
})

test('bytes without a known first digit are no record', () => {
  expect(decodeRecord(new Uint8Array())).toEqual({ is: 'broken', why: 'record' })
  expect(decodeRecord(new Uint8Array(120).fill(0x20))).toEqual({ is: 'broken', why: 'record' })
})
