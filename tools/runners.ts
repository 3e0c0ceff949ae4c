// Runs vitest and Playwright, and reads their reports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  withExitCode,
  type Counts,
  type Failure,
  failedPlaywright,
  failedVitest,
  oneFailure,
  type Place,
  readPlaywright,
  readVitest,
} from './reports.ts'
import { run } from './run.ts'
import { noteSkipped } from './testing/skipped.ts'

export interface Outcome {
  readonly counts: Counts
  readonly failures: readonly Failure[]
}

interface Reader {
  readonly counts: (text: string) => Counts
  readonly failed: (text: string) => Failure[]
}

const ofVitest: Reader = { counts: readVitest, failed: failedVitest }
const ofPlaywright: Reader = { counts: readPlaywright, failed: failedPlaywright }

/** The projects of unit tests that `npm test` runs; `npm run test:deep -- units` also runs `unit-long` and `unit-servers`. */
export const unitProjects: readonly string[] = ['unit', 'unit-s3', 'unit-hosted', 'unit-pages']

const wholeReport = join(import.meta.dirname, 'whole-report.ts')

/** Runs projects of vitest. @param args further arguments, such as names of files */
export function vitest(
  projects: readonly string[],
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return reported(ofVitest, async (file) => {
    const reporters = ['--reporter=default', `--reporter=${wholeReport}`, `--outputFile.json=${file}`]
    const named = projects.flatMap((it) => ['--project', it])
    return (await run(['vitest', 'run', ...named, ...args, ...reporters], { loud: true, env })).code
  })
}

/** Runs the browser stories. @param args further arguments, such as names of files */
export function playwright(env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Promise<Outcome> {
  return reported(ofPlaywright, async (file) => {
    const report = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...env }
    return (await run(['playwright', 'test', ...args, '--reporter=list,json'], { loud: true, env: report }))
      .code
  })
}

/** Runs one test file, or one story, with nothing beside it. What the first run recorded of failed stories stays. */
export function runAgain({ runner, selector }: Place): Promise<Outcome> {
  return runner === 'vitest'
    ? vitest(unitProjects, [selector, '--maxWorkers=1'])
    : playwright({}, [selector, '--workers=1', '--output=test-results/again'])
}

/** Inserts every planted fault, in two shares at the same time. */
export async function plantedFaults(): Promise<Outcome> {
  const shares = await Promise.all(
    ['1/2', '2/2'].map((it) => run(['node', 'tools/faults/run.ts', it], { loud: true })),
  )
  const lines = shares.flatMap((it) => it.output.split('\n'))
  const startingWith = (mark: string) => lines.filter((it) => it.startsWith(mark)).map((it) => it.slice(2))
  const missed = startingWith('✗ ')
  const counts = { passed: startingWith('✓ ').length, failed: missed.length, skipped: 0 }
  return {
    counts: withExitCode(counts, Math.max(...shares.map((it) => it.code))),
    failures: missed.map((name) => ({ name, message: '' })),
  }
}

async function reported(reader: Reader, runTests: (file: string) => Promise<number>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-report-'))
  try {
    const file = join(folder, 'report.json')
    const code = await runTests(file)
    const text = readFileSync(file, 'utf8')
    noteSkipped(text)
    return { counts: withExitCode(reader.counts(text), code), failures: reader.failed(text) }
  } catch {
    console.log('the runner gave no report')
    return { counts: oneFailure, failures: [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
