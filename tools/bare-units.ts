// Runs the unit tests that can use optional programs as on a machine without them.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, programs } from './machine.ts'
import { summary, sum } from './reports.ts'
import { type Outcome, vitest } from './runners.ts'
import { environmentWithout } from './testing/hidden-programs.ts'
import { forgetSkipped } from './testing/skipped.ts'

const root = join(import.meta.dirname, '..')

/** Files of unit tests, apart from the long ones and those of pages. */
const unitFiles = (): string[] =>
  globSync('{contract,device,sw,src,server,tools,bench}/**/*.test.ts', { cwd: root }).filter(
    (it) => !/\.(?:long|page)\.test\.ts$/.test(it),
  )

/**
 * How a test starts the server as a process, or decodes videos, without a word of the programs that these look for. Pictures are
 * decoded without a program.
 */
export const starts: readonly RegExp[] = [
  /testing\/process\.ts|process-setup\.ts|media\/makers\.ts/,
  /worker: true[^]*(?:video|film|mp4|webm)|(?:video|film|mp4|webm)[^]*worker: true/i,
]

/**
 * Files that can use one of these programs, as their text says: they ask for it, or start what looks for it.
 * @param others further signs of a use
 */
export function filesThatUse(used: readonly Program[], others: readonly RegExp[]): string[] {
  const signs = [...used.flatMap((it) => it.asked ?? []), ...others]
  return unitFiles().filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return signs.some((it) => it.test(text))
  })
}

async function runWithout(hidden: readonly Program[], files: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-programs-'))
  try {
    const commands = hidden.flatMap((it) => it.commands ?? [])
    return await vitest(['unit'], files, environmentWithout(commands, folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Hides all programs from the files that ask for PostgreSQL; from the others all but PostgreSQL, since a database of PGlite takes
 * seven times as long to open. The same tests run in the next stage with the programs, and are counted there: all of this one are one
 * check. None runs a second time, where the programs would not be hidden.
 */
export async function bareUnits(): Promise<Outcome> {
  const ofUnits = programs.filter((it) => it.commands !== undefined)
  const postgres = ofUnits.filter((it) => it.name === 'PostgreSQL')
  const others = ofUnits.filter((it) => it.name !== 'PostgreSQL')
  const withoutDatabase = filesThatUse(postgres, [])
  const rest = filesThatUse(others, starts).filter((it) => !withoutDatabase.includes(it))
  const outcomes = [await runWithout(others, rest), await runWithout(ofUnits, withoutDatabase)]
  forgetSkipped()
  const counts = sum(outcomes.map((it) => it.counts))
  console.log(`with programs hidden: ${summary(counts)}`)
  const failures = outcomes.flatMap((it) => it.failures).map(({ name, message }) => ({ name, message }))
  return { counts: { passed: counts.failed === 0 ? 1 : 0, failed: counts.failed, skipped: 0 }, failures }
}
