// Loaded before the product: records its PostgreSQL statements, which a bare route repeats.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

export interface Statement {
  /** The name of the prepared statement, if it is one. */
  readonly name?: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown

const file = process.env['TAP_FILE'] ?? ''
const own = pg.Client.prototype as unknown as { query: Query }
const { query } = own

own.query = function tapped(...args) {
  const [what, given] = args
  const config = what as { name?: string; text?: string; values?: readonly unknown[] }
  const text = typeof what === 'string' ? what : config.text
  const values = Array.isArray(given) ? (given as unknown[]) : (config.values ?? [])
  const { name } = config
  if (text !== undefined)
    appendFileSync(file, `${JSON.stringify({ name, text, values } satisfies Statement)}\n`)
  return query.apply(this, args)
}
