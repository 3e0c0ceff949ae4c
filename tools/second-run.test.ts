// Failed tests run once more, alone: what passes then is flaky, not red.
import { expect, test } from 'vitest'
import { type Counts, type Failure, type Place } from './reports.ts'
import { judge, placesToRunAgain } from './second-run.ts'

const unit = (file: string, name = 'adds'): Failure => ({
  name: `${file} › ${name}`,
  message: 'expected 1 to be 2',
  place: { runner: 'vitest', selector: file },
})
const story = (file: string, line: number): Failure => ({
  name: `${file}:${line} › is shown`,
  message: 'waited',
  place: { runner: 'playwright', selector: `${file}:${line}` },
})
const passed: Counts = { passed: 1, failed: 0, skipped: 0 }
const failed: Counts = { passed: 1, failed: 1, skipped: 0 }

/** The second run of all places, with the same counts. */
const secondRun = (failures: readonly Failure[], counts: Counts) =>
  new Map<Place, { counts: Counts; failures: Failure[] }>(
    placesToRunAgain(failures).map((it) => [it, { counts, failures: [] }]),
  )

test('a file runs again once, however many of its tests failed, and each story by its line', () => {
  const failures = [
    unit('a.test.ts'),
    unit('a.test.ts', 'refuses'),
    story('a.spec.ts', 7),
    story('a.spec.ts', 9),
  ]
  expect(placesToRunAgain(failures)).toEqual([
    { runner: 'vitest', selector: 'a.test.ts' },
    { runner: 'playwright', selector: 'a.spec.ts:7' },
    { runner: 'playwright', selector: 'a.spec.ts:9' },
  ])
})

test.each([
  ['chaos', story('chaos.spec.ts', 3)],
  ['a killed server', story('server-killed.spec.ts', 3)],
  ['a test whose name has a kill', unit('server/stopping.test.ts', 'a killed server loses nothing')],
  ['access', unit('server/modules/media/access-table.test.ts')],
  ['rules', unit('contract/rules.test.ts')],
  ['a simulation', unit('sw/sim/queue.sim.ts', 'seeds')],
  ['a failure outside of every test', { name: 'outside of every story', message: '' }],
])('a failure of %s is red at once', (_, failure) => {
  expect(placesToRunAgain([failure])).toEqual([])
  expect(judge([failure], new Map())).toMatchObject({ flaky: [], failures: [failure] })
})

test('a story about accessibility runs again', () => {
  expect(placesToRunAgain([story('accessibility.spec.ts', 3)])).toHaveLength(1)
})

test('a test that passes alone is flaky, counts as passed, and is named with its first failure', () => {
  const failure = { ...unit('a.test.ts'), message: '\n\u001B[31mexpected 1 to be 2\u001B[39m\n  at a' }
  expect(judge([failure], secondRun([failure], passed))).toEqual({
    flaky: [{ name: 'a.test.ts › adds', failure: 'expected 1 to be 2' }],
    failures: [],
    change: { passed: 1, failed: -1, skipped: 0 },
  })
})

test.each([
  ['fails again', failed],
  ['is skipped', { passed: 0, failed: 0, skipped: 1 }],
])('a test whose place %s is red', (_, counts) => {
  const failures = [story('a.spec.ts', 7)]
  expect(judge(failures, secondRun(failures, counts))).toEqual({
    flaky: [],
    failures,
    change: { passed: 0, failed: 0, skipped: 0 },
  })
})

test('a place that did not run again is red', () => {
  const failures = [unit('a.test.ts')]
  expect(judge(failures, new Map())).toMatchObject({ flaky: [], failures })
})

test('three flaky tests are allowed, a fourth makes the run red', () => {
  const four = [1, 2, 3, 4].map((line) => story('a.spec.ts', line))
  const three = four.slice(1)
  expect(judge(three, secondRun(three, passed))).toMatchObject({ failures: [], change: { failed: -3 } })
  const { flaky, failures, change } = judge(four, secondRun(four, passed))
  expect(flaky).toHaveLength(4)
  expect(failures.map((it) => it.name)).toEqual(['4 tests passed only when they ran alone'])
  expect(change).toEqual({ passed: 4, failed: -3, skipped: 0 })
})

test('more than twenty failures do not run again', () => {
  const many = Array.from({ length: 21 }, (_, n) => story('a.spec.ts', n))
  expect(placesToRunAgain(many)).toEqual([])
  expect(placesToRunAgain(many.slice(1))).toHaveLength(20)
})
