// The provider's list of charges is read completely, or refused with the line.
import { expect, test } from 'vitest'
import { MAX_ROWS, readChargesCsv } from './charges-csv.ts'

const id = '01890000-0000-7000-8000-000000000001'
const head = '決済番号,店舗オーダー番号,合計金額,決済結果,決済日時,自動課金番号'
const row = `30486154,${id},500,成功,2026/12/10 12:34:56,77`
const charge = {
  chargeRef: '30486154',
  paymentId: id,
  amount: 500,
  refunded: 0,
  recurringRef: '77',
  chargedAt: new Date('2026-12-10T03:34:56Z'),
}
const read = (...rows: string[]) => readChargesCsv([head, ...rows].join('\r\n'))

test('a charge is read, with any order of columns, quotes, a BOM and other line ends', () => {
  expect(read(row, '')).toEqual({ is: 'list', charges: [charge] })
  const other = `\uFEFF"ta",date,"gid",state,cod\n"1,500","2026-12-10 12:34",g-1,"ok ""1""",${id}`
  const chargedAt = new Date('2026-12-10T03:34:00Z')
  expect(readChargesCsv(other)).toEqual({
    is: 'list',
    charges: [{ ...charge, chargeRef: 'g-1', amount: 1500, recurringRef: '', chargedAt }],
  })
})

test('failed charges are passed over, and returned ones are marked', () => {
  expect(read(row.replace('成功', '決済失敗'), row.replace('成功', '返金済'))).toEqual({
    is: 'list',
    charges: [{ ...charge, refunded: charge.amount }],
  })
  expect(read(row.replace('成功', '一部返金'))).toEqual({
    is: 'list',
    charges: [{ ...charge, refunded: 'part' }],
  })
})

test('a card that was registered without a charge is passed over', () => {
  expect(read(row.replace(',500,', ',0,'))).toEqual({ is: 'list', charges: [] })
})

test.each([
  ['empty', 1, ''],
  ['columns', 1, '決済番号,合計金額\n1,2'],
  ['quotes', 1, `${head}\n"30486154,${id}`],
  ['quotes', 1, `${head}\n"3048"6154,${id}`],
  ['row', 3, `${head}\n${row}\n${row.replace(',500,', ',00,')}`],
  ['row', 2, `${head}\n${row.replace(',500,', ',5.5,')}`],
  ['row', 2, `${head}\n${row.replace(id, 'x')}`],
  ['row', 2, `${head}\n${row.replace('12/10', '02/30')}`],
  ['row', 2, `${head}\n${row.replace('12/10', '13/10')}`],
  ['row', 2, `${head}\n${row.replace('12:34:56', '25:00')}`],
  ['row', 2, `${head}\n${row.replace('30486154', '<b>')}`],
  ['row', 2, `${head}\n1`],
  ['too_many', MAX_ROWS + 1, `${head}\n${`${row}\n`.repeat(MAX_ROWS + 1)}`],
])('a text is refused as `%s` at line %i', (why, line, text) => {
  expect(readChargesCsv(text)).toEqual({ is: 'problem', why, line })
})
