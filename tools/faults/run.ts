// `npm run faults [-- 1/2] [words of a name]`: inserts faults, whose tests must fail.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import { allFaults } from './all.ts'
import type { Fault } from './fault.ts'
import { beginRun } from '../runs/begin.ts'

const project = join(import.meta.dirname, '..', '..')
const [first = '', ...others] = process.argv.slice(2)
const share = /^(\d+)\/(\d+)$/.exec(first)
const filter = (share ? others : [first, ...others]).join(' ')
const [number, shares] = share ? [Number(share[1]) - 1, Number(share[2])] : [0, 1]
const faults = allFaults.filter((it, n) => n % shares === number && it.name.includes(filter))
// Enough for each fault of money, and PostgreSQL alone has the fewest seconds.
process.env['MONEY_SEEDS'] ??= '0'
process.env['MONEY_POSTGRES_SEEDS'] ??= '60'

/** Names of failed tests; undefined when a test file could not be run. */
async function failedTests(vitest: Vitest, tests: readonly string[]): Promise<string[] | undefined> {
  const specifications = await vitest.globTestSpecifications([...tests])
  const files = new Set(specifications.map((it) => it.moduleId))
  const { testModules } = await vitest.runTestSpecifications(specifications)
  const ran = testModules.filter((it) => files.has(it.moduleId))
  if (ran.length === 0 || ran.some((it) => it.errors().length > 0)) return undefined
  return ran
    .flatMap((it) => [...it.children.allTests()])
    .filter((it) => it.result().state === 'failed')
    .map((it) => it.fullName)
}

/** Why a fault was not caught by its test; undefined when it was. */
async function problemOf(vitest: Vitest, copy: string, it: Fault): Promise<string | undefined> {
  const file = join(copy, it.file)
  const original = readFileSync(file, 'utf8')
  if (original.split(it.find).length !== 2) return 'its text is not in the file exactly once'
  const write = (text: string) => {
    writeFileSync(file, text)
    vitest.invalidateFile(file)
  }
  try {
    write(original.replace(it.find, () => it.replace))
    const failed = await failedTests(vitest, it.tests)
    if (!failed) return 'the tests could not be run'
    if (failed.length === 0) return 'NOT CAUGHT'
    return failed.some((name) => name.includes(it.caughtBy))
      ? undefined
      : `caught by another test: ${failed[0]}`
  } finally {
    write(original)
  }
}

await beginRun()
const copy = mkdtempSync(join(tmpdir(), 'todoke-faults-'))
const skipped = new Set(
  ['node_modules', '.git', 'dist', 'data', 'test-results'].map((it) => join(project, it)),
)
cpSync(project, copy, { recursive: true, filter: (from) => !skipped.has(from) })
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
process.chdir(copy)
// Starting the runner takes longer than most tests, so all faults share one.
const vitest = await createVitest('test', {
  root: copy,
  watch: false,
  project: ['unit*', 'sim'],
  reporters: [{}],
  // A test that a fault lets wait for ever; `expect.poll` waits for a minute.
  testTimeout: 90_000,
})
try {
  await vitest.standalone()
  let missed = 0
  for (const it of faults) {
    const problem = await problemOf(vitest, copy, it)
    if (problem !== undefined) missed += 1
    console.log(
      `${problem === undefined ? '✓' : '✗'} ${it.name}${problem === undefined ? '' : `: ${problem}`}`,
    )
  }
  console.log(`${faults.length - missed} of ${faults.length} planted faults caught`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  await vitest.close()
  process.chdir(project)
  rmSync(copy, { recursive: true, force: true })
}
