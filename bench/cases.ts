// Measures lists of 100,000 cases, by state, kind and order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { CASES, caseToken, fillCases } from './rig/case-data.ts'
import { type LoadOptions, load } from './rig/load.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const DEFAULT_SECONDS = 3
const CLIENTS = 4
const GOAL_MS = 100
const WARM_UP_MS = 5000

/** A cursor in the middle of a list, another one for each request. */
const cursorOf = (began: number, n: number): string => {
  const at = new Date(began - ((n * 104_729) % CASES) * 40_000).toISOString()
  const place = [1 + (n % 4), at, '00000004-0000-7000-a000-000000000001']
  return `cursor=${Buffer.from(JSON.stringify(place)).toString('base64url')}`
}

const lists: Readonly<Record<string, string>> = {
  'open, by age': '/api/admin/cases?state=open&order=age',
  'open, by weight': '/api/admin/cases?state=open&order=weight',
  'open messages, by age': '/api/admin/cases?state=open&order=age&kind=message',
  'open people, by weight': '/api/admin/cases?state=open&order=weight&kind=person',
  appealed: '/api/admin/cases?state=appealed&order=age',
  decided: '/api/admin/cases?state=decided&order=age',
  'decided comments': '/api/admin/cases?state=decided&order=age&kind=comment',
}

const requestOf = (path: string): LoadOptions => ({ path, token: caseToken })

/** Figures of the beginning of a list, and of later pages. Each reading writes an audit entry. */
async function measure(product: Product, name: string, began: number, ms: number): Promise<void> {
  const path = lists[name] ?? ''
  const health = await load(product.url, 1, ms / 3, () => ({ path: '/api/health' }), product.cpu)
  const first = await load(product.url, 1, ms, () => requestOf(path), product.cpu)
  const page = await load(
    product.url,
    CLIENTS,
    ms,
    (n) => requestOf(`${path}&${cursorOf(began, n)}`),
    product.cpu,
  )
  const worst = Math.max(first.p99, page.p99)
  console.log(
    `${name}: beginning p50 ${first.p50.toFixed(1)} ms (${(first.p50 / health.p50).toFixed(1)} of GET /health), p99 ${first.p99.toFixed(1)} ms; ` +
      `a page, ${CLIENTS} clients: p50 ${page.p50.toFixed(1)} ms, p99 ${page.p99.toFixed(1)} ms; ${worst < GOAL_MS ? 'met' : 'MISSED'} p99 < ${GOAL_MS} ms`,
  )
}

/** @param seconds duration of each measurement */
export async function benchCases(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const options = { DATABASE_URL: postgres.url }
  try {
    await (await openProduct(data, options)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fillCases((sql, values) => client.query(sql, values))
    await client.end()
    const began = Date.now()
    const product = await openProduct(data, options)
    await product.quiet()
    // The code of a server that has just started is not compiled yet.
    const paths = Object.values(lists)
    await load(product.url, CLIENTS, WARM_UP_MS, (n) => requestOf(paths[n % paths.length] ?? ''), product.cpu)
    console.log(`\n${CASES} cases`)
    for (const name of Object.keys(lists)) await measure(product, name, began, seconds * 1000)
    await measureDesk(product, seconds * 1000)
    await product.close()
  } finally {
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/** The counts of the desk, which every open page of staff reads every ten seconds. */
async function measureDesk(product: Product, ms: number): Promise<void> {
  const desk = await load(product.url, CLIENTS, ms, () => requestOf('/api/admin/desk'), product.cpu)
  console.log(
    `counts of the desk, ${CLIENTS} clients: p50 ${desk.p50.toFixed(1)} ms, p99 ${desk.p99.toFixed(1)} ms`,
  )
}
