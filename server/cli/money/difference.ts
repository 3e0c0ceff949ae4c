// What the checker of money reads, and what it reports.

/** A row of the database by the names of its columns. */
export type Row = Readonly<Record<string, string | number | Date | null>>

/** Runs one statement without parameters in the transaction of the check. */
export type Query = (statement: string) => Promise<readonly Row[]>

export interface Difference {
  /** Which rule is broken, such as `ledger.charge`. */
  readonly kind: string
  /** Of the row; a balance has the name of its account, with the id of its creator after a slash. */
  readonly id: string
  readonly expected: string
  readonly found: string
}

/** One rule: a statement that returns `id`, `expected` and `found` of each row that breaks it. */
export interface Rule {
  readonly kind: string
  readonly statement: string
}

/** Columns are texts, numbers or moments; statements turn everything else into a text. */
const textOf = (value: Row[string] | undefined): string =>
  value === null || value === undefined ? '-' : String(value)

/** Runs rules one after the other. */
export async function differencesOf(query: Query, rules: readonly Rule[]): Promise<Difference[]> {
  const found: Difference[] = []
  for (const { kind, statement } of rules)
    for (const row of await query(statement))
      found.push({
        kind,
        id: textOf(row['id']),
        expected: textOf(row['expected']),
        found: textOf(row['found']),
      })
  return found
}
