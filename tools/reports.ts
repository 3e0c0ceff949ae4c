// Reads the runners' JSON reports into counts. A report that cannot be believed counts as one failure.

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 }
/** What a runner without a report, or with a report that contradicts its exit code, is worth. */
export const oneFailure: Counts = { passed: 0, failed: 1, skipped: 0 }

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    nothing,
  )
}

/** A runner that exits with an error but counts no failure has failed at something it does not count. */
export function believe(counts: Counts, exitCode: number): Counts {
  if (counts.passed + counts.failed + counts.skipped === 0) return oneFailure
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** Counts of vitest's JSON reporter; a file that could not be collected is one failure. */
export function readVitest(text: string): Counts {
  const it = JSON.parse(text) as VitestReport
  const broken = it.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: it.numPassedTests,
    failed: it.numFailedTests + broken.length,
    skipped: it.numPendingTests + it.numTodoTests,
  }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** Counts of Playwright's JSON reporter; a test that passed only when repeated has failed. */
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
