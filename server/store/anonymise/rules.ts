// What a rule of the anonymisation is, and how tables have rules.
import type { SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'

/**
 * What becomes of a column.
 * - `keep`: unchanged; for numbers, times, booleans and enumerations alone, which a test verifies.
 * - `id`, `ids`, `pair`, `group_key`: ids become other ids, equal ones in every table the same.
 * - `text`: neutral text with as many lines and characters.
 * - `code`, `number`: kept where it has the form of a code of the program or of a number, otherwise a token.
 * - `token`: a hash by a key of this run alone; equal values stay equal.
 * - `password`: the hash that the run was given, or none.
 * - `birth_date`: one day for adults, one for all others.
 * - `search`: filled by the search index once the texts are replaced.
 * - `empty`, `null`: '' or null.
 */
export type NamedRule =
  | 'keep'
  | 'id'
  | 'ids'
  | 'pair'
  | 'group_key'
  | 'text'
  | 'code'
  | 'number'
  | 'token'
  | 'password'
  | 'birth_date'
  | 'search'
  | 'empty'
  | 'null'

/** A value with the number of the row, which the ids of this run order. Null stays null. */
export interface Numbered {
  readonly is: 'numbered'
  readonly before: string
  readonly after: string
  /** The value of deleted accounts; without it they are numbered too. */
  readonly ofDeleted?: string
}

/** A value made by SQL, such as JSON of which chosen keys stay. */
export interface Made {
  readonly is: 'made'
  readonly by: SQL
}

export type Rule = NamedRule | Numbered | Made

export interface TableRules {
  /** Its name in the database. */
  readonly name: string
  /** By the names of the columns in the database; undefined for a table that is emptied. */
  readonly columns: ReadonlyMap<string, Rule> | undefined
  /** The values of columns whose type has a set of them. */
  readonly options: ReadonlyMap<string, readonly string[]>
  /** SQL types by column. */
  readonly types: ReadonlyMap<string, string>
}

type Columns<T extends PgTable> = { readonly [K in keyof T['_']['columns']]: Rule }

function tableOf(table: PgTable, rules: Readonly<Record<string, Rule>> | undefined): TableRules {
  const { name, columns } = getTableConfig(table)
  // Drizzle's names of the columns are the properties of the table.
  const keys = new Map(Object.entries(table).map(([key, column]) => [column as unknown, key]))
  const ruleOf = (column: unknown): Rule => rules?.[keys.get(column) ?? ''] ?? 'null'
  return {
    name,
    columns: rules && new Map(columns.map((it) => [it.name, ruleOf(it)])),
    options: new Map(
      columns.flatMap((it) => ((it.enumValues ?? []).length > 0 ? [[it.name, it.enumValues ?? []]] : [])),
    ),
    types: new Map(columns.map((it) => [it.name, it.getSQLType()])),
  }
}

/** A table whose rows stay. A column without a rule does not type-check. */
export const rows = <T extends PgTable>(table: T, columns: Columns<T>): TableRules => tableOf(table, columns)

/** A table whose rows are all removed. */
export const emptied = (table: PgTable): TableRules => tableOf(table, undefined)

export const numbered = (before: string, after = '', ofDeleted?: string): Numbered => ({
  is: 'numbered',
  before,
  after,
  ...(ofDeleted !== undefined && { ofDeleted }),
})

export const made = (by: SQL): Made => ({ is: 'made', by })
