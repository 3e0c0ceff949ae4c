// Compares the tables of docs/operate/capacity.md with the model.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { DOCUMENTED_SIZES } from './main.ts'
import { measured } from './measured.ts'
import { needsOf, ratesOf, type Rates, usualHabits, wallsOf, oneMachine } from './model.ts'
import { formulaRows, sizeRows, wallRows } from './tables.ts'

const page = readFileSync(new URL('../../docs/operate/capacity.md', import.meta.url), 'utf8')
const lines = page.split('\n')

/** The lines of the table whose first line begins like this. */
function tableAt(first: string): readonly string[] {
  const from = lines.indexOf(first)
  const end = lines.findIndex((line, n) => n > from && !line.startsWith('|'))
  return from < 0 ? [] : lines.slice(from, end)
}

/** The second column of a row of the formulas. */
const formulaOf = (name: string): string =>
  lines
    .find((line) => line.startsWith(`| ${name} |`))
    ?.slice(0, -2)
    .split(' | ')[1] ?? ''

const rateOfTerm: Readonly<Record<string, keyof Rates>> = {
  pages: 'page',
  posts: 'post',
  likes: 'like',
  comments: 'comment',
  messages: 'message',
  'read marks': 'read',
  files: 'file',
  frames: 'frame',
  'uploaded MB': 'uploadedMegabyte',
  videos: 'video',
  seconds: 'videoSecond',
  'encoded seconds': 'encodedSecond',
}

/** Calculates a sum of terms `name × number ms` or `number ms`, as it is written on the page, in seconds. */
function calculate(formula: string, rates: Rates): number {
  const ms = formula.split(' + ').map((term) => {
    const [name = '', cost] = term.split(' × ')
    if (cost === undefined) return Number.parseFloat(name)
    const rate = rateOfTerm[name]
    return rate === undefined ? Number.NaN : rates[rate] * Number.parseFloat(cost)
  })
  return ms.reduce((sum, it) => sum + it, 0) / 1000
}

test('the page has the measured costs in its formulas', () => {
  for (const row of formulaRows()) expect(lines).toContain(row)
})

test('the page has the needs and prices of the model for three sizes of a site', () => {
  const rows = sizeRows(DOCUMENTED_SIZES)
  expect(tableAt(defined(rows[0]))).toEqual(rows)
})

test('the page has the people with whom each resource ends, the first one first', () => {
  expect(tableAt('| people | resource that ends |').slice(2)).toEqual(wallRows())
})

test.each([0, 10_000, 1_000_000])(
  'for %i people the formulas of the page give what the model gives',
  (people) => {
    const [needs, rates] = [needsOf(people, usualHabits), ratesOf(people, usualHabits)]
    const nginx = calculate(formulaOf('cores of servers: nginx'), rates)
    expect(calculate(formulaOf('cores of servers: Node'), rates) + nginx).toBeCloseTo(
      needs['cores of servers'],
      9,
    )
    expect(calculate(formulaOf('cores of PostgreSQL'), rates)).toBeCloseTo(needs['cores of PostgreSQL'], 9)
    expect(calculate(formulaOf('cores of workers'), rates)).toBeCloseTo(needs['cores of workers'], 9)
    const [, base, process, kernel] =
      /^([\d.]+) MB \+ open connections × \(([\d.]+) kB \+ ([\d.]+) kB\)$/.exec(
        formulaOf('memory of servers'),
      ) ?? []
    const bytes = Number(base) * 1e6 + rates.connection * (Number(process) + Number(kernel)) * 1000
    expect(bytes).toBeCloseTo(needs['memory of servers'], 0)
  },
)

test('with the people of a wall the need is what is usable of the resource', () => {
  for (const { resource, people } of wallsOf(oneMachine, usualHabits)) {
    const [at, below] = [
      needsOf(people, usualHabits)[resource],
      needsOf(people * 0.99, usualHabits)[resource],
    ]
    expect(at).toBeGreaterThan(below)
  }
  const [first] = wallsOf(oneMachine, usualHabits)
  expect(first?.resource).toBe('store, one year')
  expect(needsOf(defined(first?.people), usualHabits)['store, one year']).toBeCloseTo(oneMachine.store, 0)
})

test('every cost is a number above zero, so that no unit is free by mistake', () => {
  const numbers = (it: object): unknown[] =>
    Object.values(it).flatMap((value: unknown) =>
      typeof value === 'object' && value ? numbers(value) : [value],
    )
  for (const it of numbers(measured)) expect(it).toBeGreaterThan(0)
})
