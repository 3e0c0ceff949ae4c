// Prepared statements: built once, then called with values; PostgreSQL plans each once per connection.
import { createHash } from 'node:crypto'
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { executeNamed, renderSql } from './drizzle-internals.ts'

/** A value, or the placeholder of a parameter. */
export type Given = string | SQL

/** Database type of a value. */
type Type =
  | 'uuid'
  | 'uuid[]'
  | 'timestamptz'
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'text'
  | 'text[]'
  | 'tsquery'
export type Types<Values> = { readonly [Name in keyof Values]: Type }

/** Returns the placeholder of a value by its name. */
export type Params<Values> = (name: keyof Values & string) => SQL

/** Formats a time as a parameter of a statement. */
export const momentOf = (at: Date | number): string => new Date(at).toISOString()

/** Parses a time of a result. */
export const dateOf = (text: string): Date => new Date(text)
export const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text))

/**
 * Creates a prepared statement that is called with values by name.
 *
 * Each value is written as `(select $n)`. The planner then cannot see the values, so it uses one generic plan. With plain
 * parameters it may find a plan for the given values cheaper, and plan again at each call, which takes longer than running it.
 *
 * Write a limit as a number into the statement: PostgreSQL plans badly for a limit that it does not know.
 * @param types the database type of each value
 * @param build builds the statement, at its first call
 */
export function statement<Values extends object, Row>(
  types: Types<Values>,
  build: (param: Params<Values>) => SQL,
): (db: Db, values: Values) => Promise<Row[]> {
  let made: Made | undefined
  return async (db, values) => {
    made ??= textOf(build((name) => sql`(select ${sql.placeholder(name)}::${sql.raw(types[name])})`))
    const params = made.names.map((it) => (values as Record<string, unknown>)[it])
    return (await executeNamed(db, made, params)) as Row[]
  }
}

interface Made {
  readonly text: string
  /** Names of the values, in the order of their numbers. */
  readonly names: readonly string[]
  /** Name of the prepared statement: a hash of its text, so that two texts never share a name. */
  readonly name: string
}

function textOf(whole: SQL): Made {
  const { text: rendered, params } = renderSql(whole)
  const names: string[] = []
  // A value that is used in several places is sent once.
  const text = rendered.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const { name } = params[Number(number) - 1] as Placeholder
    if (typeof name !== 'string') throw new TypeError(`a prepared statement has a value in it: ${rendered}`)
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names, name: `t_${createHash('sha256').update(text).digest('hex').slice(0, 24)}` }
}
