// The embedded database from which all rows are read, in one snapshot.
import { openFiles } from '#server/adapters/database/embedded/files.ts'
import type { Rows, Table } from './table-list.ts'

/** Blocks of a table, 8 KiB each, that are copied at once. */
const BLOCKS = 2048

export interface Source extends Rows {
  /** The rows of a table in the text format of COPY. */
  copy(table: Table): AsyncGenerator<Buffer, void>
  close(): Promise<void>
}

/** Opens the database of a data folder, which no server has open and whose schema is up to date. */
export async function openSource(folder: string): Promise<Source> {
  const client = await openFiles(folder)
  // One process has the folder: this session alone, whose snapshot is that of every statement.
  await client.exec(`set timezone = 'UTC'; begin isolation level repeatable read read only`)
  const rows: Rows['rows'] = async (text, values = []) =>
    (await client.query(text, [...values])).rows as never[]
  return {
    rows,
    async *copy({ name, columns }) {
      const [size] = await rows<{ blocks: number }>(
        `select (pg_relation_size($1::regclass) / 8192)::int as blocks`,
        [name],
      )
      for (let block = 0; block < (size?.blocks ?? 0); block += BLOCKS) {
        const { blob } = await client.query(
          `copy (select ${columns.join(', ')} from ${name} where ctid >= '(${block},0)' and ctid < '(${block + BLOCKS},0)')
           to '/dev/blob'`,
        )
        if (blob && blob.size > 0) yield Buffer.from(await blob.arrayBuffer())
      }
    },
    close: () => client.close(),
  }
}
