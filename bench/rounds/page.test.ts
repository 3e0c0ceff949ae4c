// docs/figures.md is what bench/results give, and the stored ratios are those of the stored values.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { tableOf, tablesOf, withTables } from './page.ts'
import { KEPT, type Result, withResult } from './result.ts'
import { PAGE, readResults, toJson } from './save.ts'

const result = (date: string, setting = '8 MiB'): Result => ({
  date,
  commit: 'abc1234',
  setting,
  rounds: 3,
  compared: { figure: 'MB/s', baseline: 'raw' },
  methods: [{ name: 'raw', ratio: [1, 1, 1], figures: { 'MB/s': [3, 1, 2] } }],
})
const days = (count: number) => Array.from({ length: count }, (_, n) => `2026-12-${String(n + 10)}`)

test('the page has the tables of the results', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(withTables(page, readResults()), 'run `npm run bench -- page`').toBe(page)
})

test('the stored ratios are those of the stored values', () => {
  for (const { compared, methods } of [...readResults().values()].flat()) {
    if (compared === undefined) continue
    const baseline = methods.find((it) => it.name === compared.baseline)?.figures[compared.figure]
    for (const { ratio, figures } of methods) {
      const values = figures[compared.figure]
      if (!Array.isArray(ratio) || !Array.isArray(values)) continue
      const divided = values.map(
        (it, n) => it / (Array.isArray(baseline) ? defined(baseline[n]) : Number.NaN),
      )
      // Values and ratios are rounded to four digits, each by itself.
      for (const [n, it] of ratio.entries()) expect(it / defined(divided[n])).toBeCloseTo(1, 2)
    }
  }
})

test('each setting keeps its first and its newest results', () => {
  const other = result('2026-12-01', '1000 MiB')
  const all = days(KEPT + 2).reduce((before, it) => withResult(before, result(it)), [other])
  expect(all).toContain(other)
  const dates = all.filter((it) => it !== other).map((it) => it.date)
  expect(dates).toEqual(days(KEPT + 2).filter((_, n) => n !== 1 && n !== 2))
})

test('a table has a row for each method, with minimum, median and maximum', () => {
  expect(tableOf([result('2026-12-01')])).toBe(
    [
      '| date | commit | method | rounds | MB/s, ratio to raw | of each round | MB/s |',
      '|---|---|---|---|---|---|---|',
      '| 2026-12-01 | `abc1234` | raw | 3 | 1 | 1.00 1.00 1.00 | 1, 2, 3 |',
    ].join('\n'),
  )
})

test('the newest result is the first row, and a setting has its own table with its notes', () => {
  const first = { ...result('2026-11-21'), note: 'medians only.' }
  const text = tablesOf([first, result('2026-12-01', '1000 MiB'), result('2026-12-02')])
  expect(text.indexOf('2026-12-02')).toBeLessThan(text.indexOf('2026-11-21'))
  expect(text.match(/\*\*.*\*\*/g)).toEqual(['**8 MiB**', '**1000 MiB**'])
  expect(text).toContain('- 2026-11-21: medians only.')
})

test('the machine is shown before and after', () => {
  const read = (loop: number) => ({ loop, processor: 190, load: 0.5 })
  const machine = { cores: 2, before: read(200), after: read(450) }
  expect(tableOf([{ ...result('2026-12-01'), machine }])).toContain('| 200, 450 (190, 190) | 0.50, 0.50 |')
})

test('what is written by hand around the tables stays', () => {
  const page = 'a\n<!-- results of x -->\nold\n<!-- end of results -->\nb\n'
  const made = withTables(page, new Map([['x', [result('2026-12-01')]]]))
  expect(made).toMatch(/^a\n<!-- results of x -->\n\n\*\*8 MiB\*\*\n[^]*\n<!-- end of results -->\nb\n$/)
  expect(made).not.toContain('old')
})

test('a bench without a place on the page, and a place without results, are refused', () => {
  const page = '<!-- results of x -->\n<!-- end of results -->\n'
  expect(() => withTables(page, new Map())).toThrow('there is no bench/results/x.json')
  expect(() => withTables('', new Map([['x', []]]))).toThrow('the page has no <!-- results of x -->')
})

test('the values of all rounds are on one line of the JSON', () => {
  expect(toJson([result('2026-12-01')])).toContain('"MB/s": [3, 1, 2]')
})
