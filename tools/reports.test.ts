// Reads the runners' reports: every failure of a run is counted and listed.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  entryOf,
  withExitCode,
  failedPlaywright,
  failedVitest,
  oneFailure,
  readPlaywright,
  readVitest,
  sum,
  summary,
} from './reports.ts'

const vitest = (it: object): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    unhandledErrors: [],
    ...it,
  })
const playwright = (it: object, errors: unknown[] = []): string =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...it }, errors })

test('a vitest report gives its passed, failed, pending and todo tests', () => {
  const counts = readVitest(
    vitest({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }),
  )
  expect(counts).toEqual({ passed: 5, failed: 1, skipped: 3 })
})

test('a vitest file that could not be collected is one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ]
  expect(readVitest(vitest({ numPassedTests: 1, testResults }))).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('a vitest file whose hook failed is one failure, although its tests count as skipped', () => {
  const testResults = [{ name: 'a.test.ts', status: 'failed', assertionResults: [{ status: 'skipped' }] }]
  const report = vitest({ numPassedTests: 1, numPendingTests: 1, testResults })
  expect(readVitest(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  expect(failedVitest(report).map(entryOf)).toEqual(['a.test.ts › failed outside its tests'])
})

test('an error that no test caught is a failure without a place, also beside failed tests', () => {
  const failed = { fullName: 'adds', status: 'failed', failureMessages: ['expected 1 to be 2'] }
  const report = vitest({
    numFailedTests: 1,
    testResults: [{ name: resolve('a.test.ts'), status: 'failed', assertionResults: [failed] }],
    unhandledErrors: ['Error: the store is gone\n    at close'],
  })
  expect(readVitest(report)).toEqual({ passed: 0, failed: 2, skipped: 0 })
  expect(failedVitest(report)).toMatchObject([
    { name: 'a.test.ts › adds', place: { selector: 'a.test.ts' } },
    { name: 'an error that no test caught', message: 'Error: the store is gone\n    at close' },
  ])
  expect(failedVitest(report)[1]?.place).toBeUndefined()
})

test('a browser test that passed only at a retry has failed', () => {
  expect(readPlaywright(playwright({ expected: 3, flaky: 1, skipped: 2 }))).toEqual({
    passed: 3,
    failed: 1,
    skipped: 2,
  })
})

test('an error outside every browser test is a failure', () => {
  expect(readPlaywright(playwright({ expected: 3 }, [{}])).failed).toBe(1)
})

test('a runner that exits with an error but counts no failure has failed', () => {
  expect(withExitCode({ passed: 3, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  expect(withExitCode({ passed: 3, failed: 2, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 2, skipped: 0 })
})

test('a report without a single test is a failure', () => {
  expect(withExitCode({ passed: 0, failed: 0, skipped: 0 }, 0)).toEqual(oneFailure)
})

test('a broken report throws an error', () => {
  expect(() => readVitest('')).toThrow(SyntaxError)
  expect(() => readPlaywright('{}')).toThrow(TypeError)
})

test('the last line sums every runner', () => {
  const total = sum([
    { passed: 3, failed: 0, skipped: 1 },
    { passed: 4, failed: 2, skipped: 0 },
  ])
  expect(summary(total)).toBe('7 passed, 2 failed, 1 skipped')
})

test('each failed unit test has an entry with file, name and the beginning of its message', () => {
  const failed = { fullName: 'adding › refuses', status: 'failed', failureMessages: ['expected 1 to be 2'] }
  const passed = { fullName: 'adding › adds', status: 'passed', failureMessages: [] }
  const long = { fullName: 'long', status: 'failed', failureMessages: ['x'.repeat(5000)] }
  const testResults = [
    { name: resolve('a.test.ts'), status: 'failed', assertionResults: [passed, failed, long] },
    { name: resolve('b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    { name: resolve('c.test.ts'), status: 'passed', assertionResults: [passed] },
  ]
  const failures = failedVitest(vitest({ testResults }))
  expect(failures.map(entryOf)).toEqual([
    'a.test.ts › adding › refuses\nexpected 1 to be 2',
    `a.test.ts › long\n${'x'.repeat(600)}`,
    'b.test.ts › failed outside its tests\nno such module',
  ])
  expect(failures.map((it) => it.place?.selector)).toEqual(['a.test.ts', 'a.test.ts', 'b.test.ts'])
})

test('each failed browser story, at any depth, and each error outside stories has an entry', () => {
  const story = (title: string, ok: boolean) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    ok,
    tests: [{ results: [ok ? {} : { error: { message: 'waited 20000 ms' } }] }],
  })
  const report = {
    stats: {},
    errors: [{ message: 'the server did not start' }],
    suites: [{ specs: [story('fine', true)], suites: [{ specs: [story('broken', false)] }] }],
  }
  const failures = failedPlaywright(JSON.stringify(report))
  expect(failures.map(entryOf)).toEqual([
    'a.spec.ts:7 › broken\nwaited 20000 ms',
    'outside of every story\nthe server did not start',
  ])
  expect(failures.map((it) => it.place?.selector)).toEqual(['a.spec.ts:7', undefined])
})

test('the entry of a failed story has the text of its pages, cut, and no other attachment', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const attachments = [
    { name: 'shown', body: base64('phone-1, /login:\n- heading "ログイン"') },
    { name: 'screenshot', body: base64('PNG') },
    { name: 'shown', body: base64('x'.repeat(9000)) },
  ]
  const broken = {
    title: 'broken',
    file: 'a.spec.ts',
    line: 7,
    ok: false,
    tests: [{ results: [{ error: { message: 'waited' }, attachments }] }],
  }
  const [entry] = failedPlaywright(JSON.stringify({ errors: [], suites: [{ specs: [broken] }] }))
  expect(entry && entryOf(entry)).toBe(
    `a.spec.ts:7 › broken\nwaited\nphone-1, /login:\n- heading "ログイン"\n${'x'.repeat(2000)}`,
  )
})
