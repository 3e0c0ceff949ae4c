// `npm test`: every check, every runner; goes on after a failure; the last line sums them all.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build.ts'
import { runChecks } from './checks.ts'
import {
  believe,
  type Counts,
  failedPlaywright,
  failedVitest,
  oneFailure,
  readPlaywright,
  readVitest,
  sum,
  summary,
} from './reports.ts'
import { run } from './run.ts'

const reports = mkdtempSync(join(tmpdir(), 'todoke-reports-'))

/** What failed, said again at the very end: the tail of a long log is what people read first. */
const failures: string[] = []

interface Reader {
  readonly counts: (text: string) => Counts
  readonly failed: (text: string) => string[]
}

const ofVitest: Reader = { counts: readVitest, failed: failedVitest }
const ofPlaywright: Reader = { counts: readPlaywright, failed: failedPlaywright }

function read(file: string, reader: Reader, exitCode: number): Counts {
  try {
    const text = readFileSync(file, 'utf8')
    failures.push(...reader.failed(text))
    return believe(reader.counts(text), exitCode)
  } catch {
    console.log('the runner gave no report')
    return oneFailure
  }
}

async function vitest(project: string): Promise<Counts> {
  const file = join(reports, `${project}.json`)
  const outcome = await run(
    [
      'vitest',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { loud: true },
  )
  return read(file, ofVitest, outcome.code)
}

async function build(): Promise<Counts> {
  const { code } = await buildIfStale(true)
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : oneFailure
}

async function e2e(): Promise<Counts> {
  const file = join(reports, 'e2e.json')
  const outcome = await run(['playwright', 'test', '--reporter=list,json'], {
    loud: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  return read(file, ofPlaywright, outcome.code)
}

const stages: [name: string, go: () => Promise<Counts>][] = [
  ['check', async () => ({ ...(await runChecks()), skipped: 0 })],
  ['unit', () => vitest('unit')],
  ['sim', () => vitest('sim')],
  ['build', build],
  ['e2e', e2e],
]

const results: [name: string, counts: Counts, seconds: number][] = []
for (const [name, go] of stages) {
  console.log(`\n── ${name}`)
  const began = performance.now()
  const counts = await go().catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : error)
    return oneFailure
  })
  results.push([name, counts, (performance.now() - began) / 1000])
}
rmSync(reports, { recursive: true, force: true })

for (const it of failures) console.log(`\n✗ ${it}`)
console.log('')
for (const [name, counts, seconds] of results)
  console.log(`${counts.failed > 0 ? '✗' : '✓'} ${name}: ${summary(counts)} (${seconds.toFixed(0)} s)`)
const total = sum(results.map(([, counts]) => counts))
process.exitCode = total.failed > 0 ? 1 : 0
console.log(summary(total))
