// Copies all rows of the embedded database to PostgreSQL, in one transaction that compares them.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openClient } from '#server/adapters/database/connecting.ts'
import type { Source } from './source.ts'
import {
  contentsOf,
  differencesOf,
  foreignKeyStatements,
  listSequences,
  listTables,
  triggerStatements,
  type Rows,
  type Table,
} from './table-list.ts'

/** The databases differ; nothing was changed. */
export class MoveFailed extends Error {
  readonly details: readonly string[]

  constructor(details: readonly string[]) {
    super('the databases differ')
    this.name = 'MoveFailed'
    this.details = details
  }
}

export interface MovedTable {
  readonly name: string
  readonly rows: number
}

/**
 * Replaces all rows of a migrated PostgreSQL database, of which the user is the owner, by those of the source. Nothing is seen of it before it is
 * complete and compared; a process that dies leaves the target as it was.
 * @param onTable called after each table
 * @throws MoveFailed when tables or their contents differ
 */
export async function moveRows(
  source: Source,
  url: string,
  onTable: (it: MovedTable) => void,
): Promise<void> {
  const client = await openClient(url)
  const target: Rows = {
    rows: async (text, values = []) => (await client.query(text, [...values])).rows as never[],
  }
  try {
    const tables = await listTables(source)
    const differences = differencesOf(tables, await listTables(target))
    if (differences.length > 0) throw new MoveFailed(differences)
    await client.query(`set timezone = 'UTC'`)
    await client.query('begin')
    await copyAll(source, client, target, tables, onTable)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    // Ends the transaction too, unless it was committed.
    await client.end()
  }
}

async function copyAll(
  source: Source,
  client: pg.Client,
  target: Rows,
  tables: readonly Table[],
  onTable: (it: MovedTable) => void,
): Promise<void> {
  const all = async (statements: readonly string[]) => {
    for (const it of statements) await client.query(it)
  }
  const keys = await foreignKeyStatements(target)
  const triggers = await triggerStatements(target)
  await all(keys.remove)
  await all(triggers.disable)
  await all([`truncate ${tables.map((it) => it.name).join(', ')}`])
  for (const table of tables) {
    const into = `copy ${table.name} (${table.columns.join(', ')}) from stdin`
    await pipeline(Readable.from(source.copy(table)), client.query(copyFrom(into)))
    onTable({ name: table.name, rows: await compare(source, target, table) })
  }
  await all(triggers.enable)
  await all(keys.make)
  for (const { name, last, isCalled } of await listSequences(source))
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled])
}

/** @returns the number of rows, which is the same in both */
async function compare(source: Rows, target: Rows, table: Table): Promise<number> {
  const [read, written] = [await contentsOf(source, table), await contentsOf(target, table)]
  if (read.rows !== written.rows || read.digest !== written.digest)
    throw new MoveFailed([`${table.name}: ${read.rows} ${read.digest}, ${written.rows} ${written.digest}`])
  return written.rows
}
