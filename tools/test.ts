// `npm test`: runs every check and test, failed ones once more, and prints totals.
import { mkdirSync, writeFileSync } from 'node:fs'
import { bareUnits } from './bare-units.ts'
import { buildIfStale } from './build.ts'
import { runChecks } from './checks.ts'
import { missingPrograms, prepareLocalMachine } from './local-machine.ts'
import { type Counts, entryOf, type Failure, oneFailure, type Place, sum, summary } from './reports.ts'
import { type Outcome, playwright, runAgain, unitProjects, vitest } from './runners.ts'
import { beginRun } from './runs/begin.ts'
import { judge, placesToRunAgain } from './second-run.ts'
import { printSkipped } from './testing/skipped.ts'

const onePassed: Counts = { passed: 1, failed: 0, skipped: 0 }
const counted = (counts: Counts): Outcome => ({ counts, failures: [] })

/** Runs a part. @returns its outcome; one failure without a report when it throws */
async function outcomeOf(runPart: () => Promise<Outcome>): Promise<Outcome> {
  return runPart().catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : error)
    return counted(oneFailure)
  })
}

/** Runs failed tests again, one place at a time, with nothing beside it. */
async function secondRun(places: readonly Place[]): Promise<ReadonlyMap<Place, Outcome>> {
  const outcomes = new Map<Place, Outcome>()
  for (const it of places) {
    console.log(`\n── once more: ${it.selector}`)
    outcomes.set(it, await outcomeOf(() => runAgain(it)))
  }
  return outcomes
}

if (!(await prepareLocalMachine(false))) process.exit(1)
await beginRun({ inMemory: true })

const stages: [name: string, runStage: () => Promise<Outcome>][] = [
  ['check', async () => counted({ ...(await runChecks()), skipped: 0 })],
  ['unit', () => vitest(unitProjects)],
  ['sim', () => vitest(['sim'])],
  ['build', async () => counted((await buildIfStale(true)).code === 0 ? onePassed : oneFailure)],
  ['e2e', () => playwright()],
]
if (process.env['BARE'] === '1') stages.unshift(['bare', bareUnits])

const results: [name: string, counts: Counts, seconds: number][] = []
const failures: Failure[] = []
for (const [name, runStage] of stages) {
  console.log(`\n── ${name}`)
  const began = performance.now()
  const outcome = await outcomeOf(runStage)
  failures.push(...outcome.failures)
  results.push([name, outcome.counts, (performance.now() - began) / 1000])
}

const verdict = judge(failures, await secondRun(placesToRunAgain(failures)))
mkdirSync('test-results', { recursive: true })
const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
const report = { date, flaky: verdict.flaky }
writeFileSync('test-results/flaky.json', `${JSON.stringify(report, undefined, 2)}\n`)

// They are printed at the end, since people read the end of a long log first.
for (const it of verdict.failures) console.log(`\n✗ ${entryOf(it)}`)
console.log('')
for (const [name, counts, seconds] of results)
  console.log(`${counts.failed > 0 ? '✗' : '✓'} ${name}: ${summary(counts)} (${seconds.toFixed(0)} s)`)
for (const { name, failure } of verdict.flaky) console.log(`flaky: ${name} (first failure: ${failure})`)
printSkipped(missingPrograms())
const total = sum([...results.map(([, counts]) => counts), verdict.change])
process.exitCode = total.failed > 0 ? 1 : 0
console.log(summary(total))
