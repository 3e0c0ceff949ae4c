// `npm run faults [-- words of a name]`: plants each fault in a copy of the project, and expects the named test to fail.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appFaults } from './app.ts'
import type { Fault } from './fault.ts'
import { serverFaults } from './server.ts'

const project = join(import.meta.dirname, '..', '..')
const wanted = process.argv.slice(2).join(' ')
const faults = [...appFaults, ...serverFaults].filter((it) => it.name.includes(wanted))

/** Names of failed tests, and whether the runner came to an end at all. */
function failedTests(copy: string, tests: readonly string[]): readonly string[] | undefined {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const args = [
    'vitest',
    'run',
    '--project',
    'unit',
    ...tests,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  spawnSync('npx', args, { cwd: copy, stdio: 'ignore' })
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[]
    }
    return testResults
      .flatMap((file) => file.assertionResults)
      .filter((it) => it.status === 'failed')
      .map((it) => it.fullName)
  } catch {
    return undefined
  }
}

/** Undefined when the fault is caught by the test it names. */
function problemOf(copy: string, it: Fault): string | undefined {
  const file = join(copy, it.file)
  const sound = readFileSync(file, 'utf8')
  if (sound.split(it.find).length !== 2) return 'its text is not in the file exactly once'
  try {
    writeFileSync(
      file,
      sound.replace(it.find, () => it.replace),
    )
    const failed = failedTests(copy, it.tests)
    if (!failed) return 'the tests gave no report'
    if (failed.length === 0) return 'NOT CAUGHT'
    return failed.some((name) => name.includes(it.caughtBy))
      ? undefined
      : `caught by another test: ${failed[0]}`
  } finally {
    writeFileSync(file, sound)
  }
}

const copy = mkdtempSync(join(tmpdir(), 'todoke-faults-'))
try {
  const skipped = new Set(
    ['node_modules', '.git', 'dist', 'data', 'test-results'].map((it) => join(project, it)),
  )
  cpSync(project, copy, { recursive: true, filter: (from) => !skipped.has(from) })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  let missed = 0
  for (const it of faults) {
    const problem = problemOf(copy, it)
    if (problem !== undefined) missed += 1
    console.log(
      `${problem === undefined ? '✓' : '✗'} ${it.name}${problem === undefined ? '' : `: ${problem}`}`,
    )
  }
  console.log(`${faults.length - missed} of ${faults.length} planted faults caught`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
