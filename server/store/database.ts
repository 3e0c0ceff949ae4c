// The type of the database (PGlite or PostgreSQL), and the folder of its migrations.
import { fileURLToPath } from 'node:url'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** A connection or an open transaction: every function of the store takes either. */
export type Db = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Folder of the generated migrations. */
export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

/** SQL text with `$1`-style placeholders and its values as one drizzle statement. */
export function boundSql(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(
    parts.map((part, i) => (i % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`)),
  )
}
