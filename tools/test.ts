// `npm test`: runs every check and every runner, also after failures, and prints the totals.
import { buildIfStale } from './build.ts'
import { runChecks } from './checks.ts'
import { prepareLocalMachine } from './local-machine.ts'
import { type Counts, oneFailure, sum, summary } from './reports.ts'
import { type Outcome, playwright, unitProjects, vitest } from './runners.ts'
import { placeTemporaryFilesInMemory } from './testing/temporary-folder.ts'

/** Failures, printed again at the end, since people read the end of a long log first. */
const failures: string[] = []

const onePassed: Counts = { passed: 1, failed: 0, skipped: 0 }
const counted = (counts: Counts): Outcome => ({ counts, failures: [] })

if (!(await prepareLocalMachine(false))) process.exit(1)
placeTemporaryFilesInMemory()

const stages: [name: string, runStage: () => Promise<Outcome>][] = [
  ['check', async () => counted({ ...(await runChecks()), skipped: 0 })],
  ['unit', () => vitest(unitProjects)],
  ['sim', () => vitest(['sim'])],
  ['build', async () => counted((await buildIfStale(true)).code === 0 ? onePassed : oneFailure)],
  ['e2e', () => playwright()],
]

const results: [name: string, counts: Counts, seconds: number][] = []
for (const [name, runStage] of stages) {
  console.log(`\n── ${name}`)
  const began = performance.now()
  const { counts, failures: failed } = await runStage().catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : error)
    return counted(oneFailure)
  })
  failures.push(...failed)
  results.push([name, counts, (performance.now() - began) / 1000])
}

for (const it of failures) console.log(`\n✗ ${it}`)
console.log('')
for (const [name, counts, seconds] of results)
  console.log(`${counts.failed > 0 ? '✗' : '✓'} ${name}: ${summary(counts)} (${seconds.toFixed(0)} s)`)
const total = sum(results.map(([, counts]) => counts))
process.exitCode = total.failed > 0 ? 1 : 0
console.log(summary(total))
