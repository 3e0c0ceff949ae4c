// Statements lose the values in their text, in time linear to its length.
import { expect, test } from 'vitest'
import { operationIn, statementText } from './statement-text.ts'

test.each([
  ['select * from "posts" where id = $1 and n < 25', 'select * from "posts" where id = $1 and n < ?'],
  ["update a set b = 'it''s ''secret', c = 2", 'update a set b = ?, c = ?'],
  [String.raw`select E'a\'secret' , e'b''secret'`, 'select ? , ?'],
  ["select x'ff', B'01', N'secret', U&'secret'", 'select ?, ?, ?, ?'],
  ['select $$secret$$, $tag$ secret $$ $tag$ from t1', 'select ?, ? from t1'],
  ['select 1.5e10, -3, 0xff, a1 from t_2', 'select ?, -?, ?, a1 from t_2'],
  ['select 1 -- secret\n from /* secret * / */ "a""1"', 'select ? from "a""1"'],
  ["select 'secret", 'select ?'],
  ['select "名前", 値 from 表 where 名 = \'花子\'', 'select "名前", 値 from 表 where 名 = ?'],
  ["interval'1 day'", 'interval?'],
])('%s', (statement, text) => {
  expect(statementText(statement)).toBe(text)
})

test('a long statement is cut, and takes no time', () => {
  for (const part of ["'", '/*', '$', '"', "e'\\", '1', '-- '])
    expect(statementText(`select ${part.repeat(1_000_000)}`).length).toBeLessThanOrEqual(2000)
})

test('the operation is the first word', () => {
  expect([operationIn(' select 1'), operationIn('BEGIN'), operationIn('(select 1)')]).toEqual([
    'SELECT',
    'BEGIN',
    'OTHER',
  ])
})
