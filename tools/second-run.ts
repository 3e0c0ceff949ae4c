// Which failed tests run a second time, and what the two runs say together.
import { type Counts, type Failure, oneFailure, type Place, sum } from './reports.ts'
import type { Flaky } from './flaky/page.ts'
import type { Outcome } from './runners.ts'

/** Flaky tests of one run that are allowed; more are a defect of the product or of the tests. */
export const ALLOWED = 3
/** Failures above which the second run could not make the run green, and would only take time. */
const MOST = 20

/**
 * Tests whose failure may be a rare loss, a rare leak or a seed that differs: one failure proves a defect, and a later success
 * disproves nothing. The expression matches the file or the name of a test.
 */
const neverAgain = /chaos|kill|\baccess\b|\brules\b|\.sim\.ts/i

const mayRunAgain = ({ name, place }: Failure): boolean => place !== undefined && !neverAgain.test(name)

export interface Verdict {
  readonly flaky: readonly Flaky[]
  readonly failures: readonly Failure[]
  /** What the second run changes in the counts of the first. */
  readonly change: Counts
}

/** The places of failed tests that run once more, each once; none after so many failures that a race cannot be the cause. */
export function placesToRunAgain(failures: readonly Failure[]): Place[] {
  const again = failures.filter(mayRunAgain)
  if (again.length > MOST) return []
  const places = new Map(
    again.flatMap(({ place }) => (place ? [[`${place.runner} ${place.selector}`, place]] : [])),
  )
  return [...places.values()]
}

/** The first line of a message without the colours of a terminal. */
function firstLine(message: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with this character
  const plain = message.replaceAll(/\u001B\[[0-9;]*m/g, '')
  return plain.split('\n').find((it) => it.trim() !== '') ?? 'no message'
}

/**
 * Judges the failures of a run by the second run of their places.
 * @param second outcome of each place; a place without one has failed
 */
export function judge(failures: readonly Failure[], second: ReadonlyMap<Place, Outcome>): Verdict {
  const passedAlone = new Set(
    [...second].flatMap(([place, { counts }]) =>
      counts.failed === 0 && counts.passed > 0 ? [`${place.runner} ${place.selector}`] : [],
    ),
  )
  const isFlaky = (it: Failure): boolean =>
    mayRunAgain(it) && passedAlone.has(`${it.place?.runner} ${it.place?.selector}`)
  const flaky = failures.filter(isFlaky).map(({ name, message }) => ({ name, failure: firstLine(message) }))
  const change = { passed: flaky.length, failed: 0 - flaky.length, skipped: 0 }
  const red = failures.filter((it) => !isFlaky(it))
  if (flaky.length <= ALLOWED) return { flaky, failures: red, change }
  const tooMany = {
    name: `${flaky.length} tests passed only when they ran alone`,
    message: `${ALLOWED} are allowed`,
  }
  return { flaky, failures: [...red, tooMany], change: sum([change, oneFailure]) }
}
