// Size limits of text columns as check constraints.
import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, check } from 'drizzle-orm/pg-core'

/**
 * A limit in bytes (UTF-8) for a column whose rows are never updated, or always with this column. Its migration adds it
 * NOT VALID. Columns of rows that change otherwise have a trigger instead: docs/decisions/046.
 */
export const sized = (name: string, column: AnyPgColumn | SQL, bytes: number) =>
  check(name, sql`octet_length(${column}) <= ${sql.raw(String(bytes))}`)
