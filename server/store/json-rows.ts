// Rows of a table as JSON inside a prepared statement, and back.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/** A row in which times are text. */
export type JsonRow<Table extends PgTable> = {
  readonly [Key in keyof Table['$inferSelect']]: unknown
}

/** All columns of a table by the names of their fields. @param alias of the table in the statement */
export function jsonOf(table: PgTable, alias: string): SQL {
  const fields = Object.entries(getTableColumns(table)).map(([key, it]) => `'${key}', ${alias}.${it.name}`)
  return sql.raw(`json_build_object(${fields.join(', ')})`)
}

export function rowOf<Table extends PgTable>(table: Table, json: JsonRow<Table>): Table['$inferSelect'] {
  const values: Readonly<Record<string, unknown>> = json
  const fields = Object.entries(getTableColumns(table)).map(([key, it]) => {
    const value = values[key]
    return [key, it.dataType === 'date' && typeof value === 'string' ? new Date(value) : value] as const
  })
  return Object.fromEntries(fields)
}
