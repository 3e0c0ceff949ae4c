// The database as the store sees it: PGlite or PostgreSQL behind one type, and the migrations both run.
import { fileURLToPath } from 'node:url'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A connection or an open transaction: every function of the store takes either. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Folder of the generated migrations. */
export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

/** SQL text with `$1`-style placeholders and its values as one drizzle statement. */
export function boundSql(text: string, values: readonly unknown[]): SQL {
  const pieces = text.split(/\$(\d+)/)
  return sql.join(
    pieces.map((piece, i) => (i % 2 === 0 ? sql.raw(piece) : sql`${sql.param(values[Number(piece) - 1])}`)),
  )
}
