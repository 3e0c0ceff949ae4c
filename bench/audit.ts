// Measures pages of an audit log with 1,000,000 entries, by filters.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { adminId, auditToken, ENTRIES, fillAudit, thingId } from './rig/audit-data.ts'
import { type LoadOptions, load } from './rig/load.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const DEFAULT_SECONDS = 3
const CLIENTS = 4
const GOAL_MS = 100
const MINUTE = 60_000
const WARM_UP_MS = 10_000

/** A cursor in the middle of the log, another one for each request. Pages with one write no entry. */
const cursorOf = (began: number, n: number): string => {
  const seq = 1 + ((n * 104_729) % ENTRIES)
  const at = new Date(began - (ENTRIES - seq) * MINUTE).toISOString()
  return `cursor=${Buffer.from(JSON.stringify([at, seq])).toString('base64url')}`
}

const [first, second] = [`actor=${adminId(1)}`, `actor=${adminId(2)}`]
const frequent = `subject=${adminId(1)}`

const filters: Readonly<Record<string, (n: number) => string>> = {
  'all entries': () => '',
  'one admin': () => first,
  'an act': () => 'act=refund',
  'a kind of subject': () => 'subject_kind=identity_check',
  'a subject': (n) => `subject=${thingId((n * 7919) % 50_000)}`,
  'a frequent subject': () => frequent,
  'an admin and an act': () => `${second}&act=refund`,
  'an admin and an act, no entry': () => `${first}&act=identity.read`,
  'another admin and an act, no entry': () => `${second}&act=payouts.list`,
  'an admin and a kind, no entry': () => `${first}&subject_kind=identity_check`,
  'an act and a kind, no entry': () => 'act=payouts.list&subject_kind=identity_check',
  'a subject and an act, no entry': () => `${frequent}&act=identity.read`,
  'a subject and an admin, no entry': () => `${frequent}&${second}`,
  'a subject and a kind, no entry': () => `${frequent}&subject_kind=identity_check`,
}

const requestOf = (query: string): LoadOptions => ({ path: `/api/admin/audit?${query}`, token: auditToken })

/** Figures of one request with a cursor, and of the opening, which writes an entry. */
async function measure(product: Product, name: string, began: number, ms: number): Promise<void> {
  const filter = filters[name] ?? (() => '')
  const health = await load(product.url, 1, ms / 3, () => ({ path: '/api/health' }), product.cpu)
  const open = await load(product.url, 1, ms, (n) => requestOf(filter(n)), product.cpu)
  const page = await load(
    product.url,
    CLIENTS,
    ms,
    (n) => requestOf(`${filter(n)}&${cursorOf(began, n)}`),
    product.cpu,
  )
  const worst = Math.max(open.p99, page.p99)
  console.log(
    `${name}: opening p50 ${open.p50.toFixed(1)} ms (${(open.p50 / health.p50).toFixed(1)} of GET /health), p99 ${open.p99.toFixed(1)} ms; ` +
      `a page, ${CLIENTS} clients: p50 ${page.p50.toFixed(1)} ms, p99 ${page.p99.toFixed(1)} ms; ${worst < GOAL_MS ? 'met' : 'MISSED'} p99 < ${GOAL_MS} ms`,
  )
}

/** @param seconds duration of each measurement */
export async function benchAudit(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const options = { DATABASE_URL: postgres.url, ADMIN_EMAILS: 'admin1@bench.example' }
  try {
    await (await openProduct(data, options)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fillAudit((sql, values) => client.query(sql, values))
    await client.end()
    const began = Date.now()
    const product = await openProduct(data, options)
    await product.quiet()
    // The code of a server that has just started is not compiled yet.
    const queries = Object.values(filters)
    const warmUp = (n: number) => requestOf(queries[n % queries.length]?.(n) ?? '')
    await load(product.url, CLIENTS, WARM_UP_MS, warmUp, product.cpu)
    console.log(`\nan audit log with ${ENTRIES} entries`)
    for (const name of Object.keys(filters)) await measure(product, name, began, seconds * 1000)
    await product.close()
  } finally {
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
