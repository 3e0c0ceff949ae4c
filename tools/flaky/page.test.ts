// docs/flaky.md has a row for each flaky run; three without a mend are red.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineOf, readRows, rowOf, unmended, withRows } from './page.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/flaky.md'), 'utf8')
const empty = `${page.split('## Rows')[0]}## Rows\n\n| test | date | first failure | cause | mend |\n|---|---|---|---|---|\n`
const flaky = { name: 'a.spec.ts:7 › is shown', failure: 'a | b' }
const row = (date: string, mend = '') => ({ ...rowOf(flaky, date), mend })

test('no test has been flaky three times without a mend', () => {
  expect(unmended(readRows(page))).toEqual([])
})

test('a row keeps its name without the line, and its failure with a bar', () => {
  const rows = readRows(withRows(empty, [row('2026-11-28 10:00')]))
  expect(rows).toEqual([
    { name: 'a.spec.ts › is shown', date: '2026-11-28 10:00', failure: 'a | b', cause: '', mend: '' },
  ])
})

test('the rows of a run that is recorded twice stand once', () => {
  const once = withRows(empty, [row('2026-11-28 10:00')])
  expect(withRows(once, [row('2026-11-28 10:00')])).toBe(once)
  expect(readRows(withRows(once, [row('2026-11-28 11:00')]))).toHaveLength(2)
})

test('a third row without a mend is named, and none of those with one', () => {
  const two = [row('2026-11-26 10:00'), row('2026-11-27 10:00')]
  expect(unmended([...two, row('2026-11-28 10:00', 'abc1234')])).toEqual([])
  expect(unmended([...two, row('2026-11-28 10:00')])).toEqual(['a.spec.ts › is shown'])
})

test('a row with a missing cell is refused', () => {
  expect(() => readRows(`${empty}| a | 2026-11-28 10:00 | b |\n`)).toThrow('needs name, date')
  expect(readRows(`${empty}${lineOf(row('2026-11-28 10:00'))}\n`)).toHaveLength(1)
})
