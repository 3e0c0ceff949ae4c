// Cells of CSV files: quoted, and without formulas.
import { expect, test } from 'vitest'
import { cellOf, csvOf } from './csv.ts'

test.each([
  ['海野しお', '"海野しお"'],
  ['', '""'],
  ['「"」と,', '"「""」と,"'],
  ['二行\nの名前', '"二行\nの名前"'],
  ['=1+1', `"'=1+1"`],
  ['+81', `"'+81"`],
  ['-1', '"-1"'],
  ['-1+2', `"'-1+2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['＝1', `"'＝1"`],
  ['  =1', `"'  =1"`],
  ['\t=1', `"'\t=1"`],
  ['=HYPERLINK("https://x.example")', `"'=HYPERLINK(""https://x.example"")"`],
  ['1=1', '"1=1"'],
])('a cell with %j is written as %j', (text, cell) => {
  expect(cellOf(text)).toBe(cell)
})

test('a file begins with a BOM, and every line ends with CRLF', () => {
  const bytes = new TextEncoder().encode(csvOf([['あ', 'b'], ['1']]))
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe('"あ","b"\r\n"1"\r\n')
})
