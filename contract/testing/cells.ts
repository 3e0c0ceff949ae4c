// Compares all cells of a table, so that one failure names each that differs.
import { shownIn } from './test-name.ts'

export interface Cell {
  /** What is examined, such as a value that was typed. */
  readonly of: unknown
  readonly expected: unknown
  readonly found: unknown
}

/** What JSON does not tell apart. */
function distinct(_: string, value: unknown): unknown {
  if (value === undefined || Object.is(value, -0) || Number.isNaN(value))
    return `‹${Object.is(value, -0) ? '-0' : String(value)}›`
  return value
}

/** @returns a sentence for each cell whose value is another one than expected; none for a correct table */
export function differing(cells: readonly Cell[]): string[] {
  return cells
    .filter((it) => JSON.stringify(it.expected, distinct) !== JSON.stringify(it.found, distinct))
    .map((it) => `${shownIn(it.of)}: expected ${shownIn(it.expected)}, found ${shownIn(it.found)}`)
}
