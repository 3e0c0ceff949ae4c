// Runs named prepared statements, by private parts of Drizzle.
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'

interface PreparedQuery {
  execute(): Promise<{ rows: unknown[] }>
}

/** The used part of `db._.session` of drizzle-orm 0.45, which its types declare private. */
interface Session {
  prepareQuery(
    query: { readonly sql: string; readonly params: readonly unknown[] },
    fields: undefined,
    name: string,
    isResponseInArrayMode: false,
  ): PreparedQuery
}

const dialect = new PgDialect()

/** The text of a statement with `$1`-style parameters, and each parameter: a value or a `Placeholder`. */
export function renderSql(statement: SQL): { readonly text: string; readonly params: readonly unknown[] } {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  return { text, params }
}

/**
 * Runs a statement that PostgreSQL stores under `name`: parsed and planned once for a connection. Drizzle's own `prepare`
 * binds a statement to one connection, while this one runs on any `db`, also in an open transaction.
 * @throws Error when a version of Drizzle has moved its session
 */
export async function executeNamed(
  db: Db,
  { name, text }: { readonly name: string; readonly text: string },
  params: readonly unknown[],
): Promise<unknown[]> {
  const { session } = (db as unknown as { readonly _: { readonly session?: Partial<Session> } })._
  if (typeof session?.prepareQuery !== 'function')
    throw new Error('drizzle-orm has moved its session: see server/store/drizzle-internals.ts')
  return (await session.prepareQuery({ sql: text, params }, undefined, name, false).execute()).rows
}
