// Preloaded into the product: records its PostgreSQL statements, which the bare route repeats.
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
const prototype = pg.Client.prototype as unknown as { query: Query }
const { query } = prototype

prototype.query = function recorded(...args) {
  const [statement, parameters] = args
  const config = statement as { name?: string; text?: string; values?: readonly unknown[] }
  const text = typeof statement === 'string' ? statement : config.text
  const values = Array.isArray(parameters) ? (parameters as unknown[]) : (config.values ?? [])
  const { name } = config
  if (text !== undefined)
    appendFileSync(file, `${JSON.stringify({ name, text, values } satisfies Statement)}\n`)
  return query.apply(this, args)
}
