// The skipped tests of a run, by the missing program that they use.
import { readFileSync } from 'node:fs'

/** A program that this machine does not have. */
export interface MissingProgram {
  readonly name: string
  /** Debian packages that contain it. */
  readonly packages: readonly string[]
  /** How a unit test asks for it. */
  readonly asked?: RegExp
}

/** A skipped test, and what says which program it uses. */
export interface Skipped {
  readonly name: string
  /** The text of the file of a unit test. */
  readonly file?: string
  /** The reason that a story gives. */
  readonly reason?: string
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly id: string
    readonly tests: readonly {
      readonly status: string
      readonly annotations: readonly { readonly type: string; readonly description?: string }[]
    }[]
  }[]
}

interface Report extends Suite {
  readonly testResults?: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const ran = new Set(['passed', 'failed'])

/** Skipped tests in a report of vitest or Playwright. @param read returns the text of a file */
export function skippedIn(report: string, read = (file: string) => readFileSync(file, 'utf8')): Skipped[] {
  const whole = JSON.parse(report) as Report
  const ofStories = ({ suites = [], specs = [] }: Suite): Skipped[] => [
    ...specs.flatMap(({ id, tests }) =>
      tests
        .filter((it) => it.status === 'skipped')
        .map((it) => ({ name: id, reason: it.annotations.map((one) => one.description ?? '').join(' ') })),
    ),
    ...suites.flatMap(ofStories),
  ]
  const ofUnits = (whole.testResults ?? []).flatMap(({ name: file, assertionResults }) => {
    const tests = assertionResults.filter((it) => !ran.has(it.status))
    if (tests.length === 0) return []
    const text = read(file)
    return tests.map((it) => ({ name: `${file} ${it.fullName}`, file: text }))
  })
  return [...ofUnits, ...ofStories(whole)]
}

/** Whether the file of a test asks for a program, or its reason names it. */
const uses = ({ file = '', reason = '' }: Skipped, { name, packages, asked }: MissingProgram): boolean =>
  asked?.test(file) === true ||
  [name, ...packages].some((it) => reason.toLowerCase().includes(it.toLowerCase()))

/** The list at the end of a run. */
export function describeSkipped(skipped: readonly Skipped[], missing: readonly MissingProgram[]): string[] {
  if (missing.length === 0) return []
  const rows = missing.map((program) => {
    const count = skipped.filter((it) => uses(it, program)).length
    return `  ${program.name}: ${count} skipped; Debian: apt-get install ${program.packages.join(' ')}`
  })
  const others = skipped.filter((it) => !missing.some((program) => uses(it, program))).length
  return [
    'Missing programs, and the skipped tests in files that use them (npm run setup installs all, as root on Debian):',
    ...rows,
    ...(others > 0 ? [`  for other reasons: ${others} skipped`] : []),
  ]
}

const noted: Skipped[] = []

/** Keeps the skipped tests of a report for the list. A test that is repeated is one. */
export function noteSkipped(report: string): void {
  const known = new Set(noted.map((it) => it.name))
  noted.push(...skippedIn(report).filter((it) => !known.has(it.name)))
}

/** Forgets what was noted: a stage whose tests run again, with the programs, skips nothing. */
export function forgetSkipped(): void {
  noted.length = 0
}

/** Prints the list of missing programs with the tests of this run that were skipped without them. */
export function printSkipped(missing: readonly MissingProgram[]): void {
  for (const line of describeSkipped(noted, missing)) console.log(line)
}
