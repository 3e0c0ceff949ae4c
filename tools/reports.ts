// Reads the runners' JSON reports into counts and lists of failures.
import { relative } from 'node:path'

/** A failed test, or a failure outside of every test. */
export interface Failure {
  /** File and name of the test, as people read them. */
  readonly name: string
  /** The beginning of its message, and what its pages showed. */
  readonly message: string
  /** How to run it alone; undefined for a failure outside of every test. */
  readonly place?: Place
}

/** What runs one test again. */
export interface Place {
  readonly runner: 'vitest' | 'playwright'
  /** Path of its file, for Playwright with the line. */
  readonly selector: string
}

/** @returns the entry of a failure in the list at the end of a run */
export const entryOf = ({ name, message }: Failure): string => `${name}\n${message}`.trimEnd()

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 }
/** The counts of a runner without a plausible report. */
export const oneFailure: Counts = { passed: 0, failed: 1, skipped: 0 }

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    nothing,
  )
}

/** Adds a failure when a runner exits with an error and counts none. */
export function withExitCode(counts: Counts, exitCode: number): Counts {
  if (counts.passed + counts.failed + counts.skipped === 0) return oneFailure
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  /** Added by `tools/whole-report.ts`. */
  unhandledErrors: string[]
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

type VitestFile = VitestReport['testResults'][number]

/** Whether a file failed to load, or in a hook. Its tests are then reported as skipped. */
const failedOutsideTests = ({ status, assertionResults: tests }: VitestFile): boolean =>
  status === 'failed' && tests.every((it) => it.status !== 'failed')

/** Counts of vitest's report; a file that failed outside its tests is one failure, and so is an error that no test caught. */
export function readVitest(text: string): Counts {
  const it = JSON.parse(text) as VitestReport
  const broken = it.testResults.filter(failedOutsideTests)
  return {
    passed: it.numPassedTests,
    failed: it.numFailedTests + broken.length + it.unhandledErrors.length,
    skipped: it.numPendingTests + it.numTodoTests,
  }
}

/** Longest shown part of a message. The runner's output has the rest. */
const MESSAGE = 600

/**
 * Failed tests of vitest's report, and errors that no test caught. Such an error has no place: which of the tests that run at the
 * same time has caused it is not known, so that none of them can be run again for it.
 */
export function failedVitest(text: string): Failure[] {
  const { testResults, unhandledErrors } = JSON.parse(text) as VitestReport
  const uncaught = unhandledErrors.map((it) => ({
    name: 'an error that no test caught',
    message: it.slice(0, MESSAGE),
  }))
  const failed = testResults.flatMap((file) => {
    const path = relative('', file.name)
    const entry = (name: string, message = ''): Failure => ({
      name: `${path} › ${name}`,
      message: message.slice(0, MESSAGE),
      place: { runner: 'vitest', selector: path },
    })
    if (failedOutsideTests(file)) return [entry('failed outside its tests', file.message)]
    return file.assertionResults
      .filter((it) => it.status === 'failed')
      .map((it) => entry(it.fullName, it.failureMessages?.join('\n')))
  })
  return [...failed, ...uncaught]
}

interface PlaywrightResult {
  error?: { message?: string }
  attachments?: { name: string; body?: string }[]
}

/** Longest shown part of the text of a page. */
const SHOWN = 2000

/** The message of a failed result, and the text of its pages in base64 (`e2e/rig/failed-pages.ts`). */
function messageOf({ error, attachments = [] }: PlaywrightResult): string {
  const shown = attachments
    .filter((it) => it.name === 'shown')
    .map((it) =>
      Buffer.from(it.body ?? '', 'base64')
        .toString()
        .slice(0, SHOWN),
    )
  return [(error?.message ?? '').slice(0, MESSAGE), ...shown].join('\n')
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    file: string
    line: number
    ok: boolean
    tests: { results: PlaywrightResult[] }[]
  }[]
}

/** Failed tests of Playwright's JSON reporter. */
export function failedPlaywright(text: string): Failure[] {
  const inside = ({ suites = [], specs = [] }: PlaywrightSuite): Failure[] => [
    ...specs
      .filter((it) => !it.ok)
      .map(({ file, line, title, tests }) => ({
        name: `${file}:${line} › ${title}`,
        message: tests.flatMap((it) => it.results.map(messageOf)).join('\n'),
        place: { runner: 'playwright' as const, selector: `${file}:${line}` },
      })),
    ...suites.flatMap(inside),
  ]
  const { errors, ...whole } = JSON.parse(text) as PlaywrightReport & PlaywrightSuite
  return [
    ...inside(whole),
    ...errors.map((it) => ({
      name: 'outside of every story',
      message: (it.message ?? 'an error without a message').slice(0, MESSAGE),
    })),
  ]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
}

/** Counts of Playwright's JSON reporter; a test that passed only at a retry has failed. */
export function readPlaywright(text: string): Counts {
  const { stats, errors } = JSON.parse(text) as PlaywrightReport
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

/** The last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
