// CSV files of the provider are decoded, and divided at ends of lines.
import { expect, test } from 'vitest'
import { decodedCsv, partsOf } from './charges-text.ts'

test('UTF-8 and Shift_JIS are decoded', () => {
  const utf8 = new TextEncoder().encode('決済番号').buffer
  const shiftJis = Uint8Array.from([0x8c, 0x88, 0x8d, 0xcf, 0x94, 0xd4, 0x8d, 0x86]).buffer
  expect([decodedCsv(utf8), decodedCsv(shiftJis)]).toEqual(['決済番号', '決済番号'])
})

test('a long text is divided, with its head line in each part', () => {
  expect(partsOf('h\r\n11\r\n22\r\n33', 8)).toEqual(['h\n11\n22', 'h\n33'])
  expect(partsOf('h\n11', 8)).toEqual(['h\n11'])
})
