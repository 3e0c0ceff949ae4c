// The table of docs/flaky.md: tests that failed, and passed when they ran alone.

/** A failed test that passed alone. */
export interface Flaky {
  readonly name: string
  /** First line of the message of its failure. */
  readonly failure: string
}

export interface Row {
  readonly name: string
  /** End of the run, YYYY-MM-DD HH:MM, UTC. */
  readonly date: string
  readonly failure: string
  /** Empty until it is known. */
  readonly cause: string
  /** What ended the race; empty until then. */
  readonly mend: string
}

/** Rows of one test without a mend at which `npm test` fails. */
export const LIMIT = 3

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()

/**
 * The name of a test without the number of its line, which changes: `a.spec.ts:7 › adds` becomes `a.spec.ts › adds`.
 */
export const nameOf = (name: string): string => name.replace(/^(\S+?):\d+ › /, '$1 › ')

/** The row of a flaky test of the run that ended then. */
export const rowOf = ({ name, failure }: Flaky, date: string): Row => ({
  name: nameOf(name),
  date,
  failure,
  cause: '',
  mend: '',
})

/** Writes a row as a line of the table. */
export const lineOf = ({ name, date, failure, cause, mend }: Row): string =>
  `| ${[name, date, failure, cause, mend].map(cellOf).join(' | ')} |`

/** Reads the rows of the page. @throws for a line of the table with another number of cells */
export function readRows(page: string): Row[] {
  const [, table = ''] = page.split('## Rows')
  const lines = table.split('\n').filter((it) => it.startsWith('|'))
  return lines.slice(2).map((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((it) => it.trim().replaceAll('\\|', '|'))
    const [name, date, failure, cause, mend] = cells
    if (
      cells.length !== 5 ||
      !name ||
      !date ||
      failure === undefined ||
      cause === undefined ||
      mend === undefined
    )
      throw new Error(`docs/flaky.md: a row needs name, date, first failure, cause and mend: ${line}`)
    return { name, date, failure, cause, mend }
  })
}

/** The page with further rows at its end; a row that it has already is not added again. */
export function withRows(page: string, rows: readonly Row[]): string {
  const has = new Set(readRows(page).map((it) => `${it.date} ${it.name}`))
  const added = rows.filter((it) => !has.has(`${it.date} ${it.name}`))
  return `${page.trimEnd()}\n${added.map((it) => `${lineOf(it)}\n`).join('')}`
}

/** Names of tests that have been flaky three times or more, and whose race was not ended. */
export function unmended(rows: readonly Row[]): string[] {
  const open = Map.groupBy(
    rows.filter((it) => it.mend === ''),
    (it) => it.name,
  )
  return [...open].filter(([, found]) => found.length >= LIMIT).map(([name]) => name)
}
