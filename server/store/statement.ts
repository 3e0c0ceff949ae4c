// Statements put together once: each call brings values alone, and PostgreSQL parses and plans it once for a connection.
import { createHash } from 'node:crypto'
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'

/** A value, or the place of one in a statement. */
export type Given = string | SQL

/** What a value is to the database. */
type Type = 'uuid' | 'uuid[]' | 'timestamptz' | 'smallint' | 'boolean' | 'text' | 'text[]' | 'tsquery'
export type Types<Values> = { readonly [Name in keyof Values]: Type }

/** Gives the place of a value by its name. */
export type Places<Values> = (name: keyof Values & string) => SQL

/** A moment as statements take it. */
export const momentOf = (at: Date | number): string => new Date(at).toISOString()

/** A moment as they give it. */
export const dateOf = (text: string): Date => new Date(text)
export const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text))

/**
 * A statement that is called with values by name. A limit is better written into it than given: PostgreSQL plans badly
 * for one it does not know.
 *
 * Each value stands behind a `select` of its own. The planner cannot look through it, so that a plan for these values is
 * never thought cheaper than one for any: otherwise PostgreSQL would plan at each call, which takes longer than the work.
 * @param types what each value is
 * @param build puts it together, at its first call
 */
export function statement<Values extends object, Row>(
  types: Types<Values>,
  build: (place: Places<Values>) => SQL,
): (db: Db, values: Values) => Promise<Row[]> {
  let made: Made | undefined
  return async (db, values) => {
    made ??= textOf(build((name) => sql`(select ${sql.placeholder(name)}::${sql.raw(types[name])})`))
    const { text, names, name } = made
    const params = names.map((it) => (values as Record<string, unknown>)[it])
    const query = db._.session.prepareQuery({ sql: text, params }, undefined, name, false)
    return ((await query.execute()) as { rows: Row[] }).rows
  }
}

interface Made {
  readonly text: string
  /** The value of each number, in order. */
  readonly names: readonly string[]
  /** What PostgreSQL keeps it under: of the text, so that no two texts ever share one. */
  readonly name: string
}

const dialect = new PgDialect()

function textOf(whole: SQL): Made {
  const { sql: said, params } = dialect.sqlToQuery(whole)
  const names: string[] = []
  // A value that stands in several places is sent once.
  const text = said.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const { name } = params[Number(number) - 1] as Placeholder
    if (typeof name !== 'string') throw new TypeError(`a statement made once has a value in it: ${said}`)
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names, name: `t_${createHash('sha256').update(text).digest('hex').slice(0, 24)}` }
}
