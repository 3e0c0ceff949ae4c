// Measures how much statement time of the primary a replica takes over.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fill } from '#bench/feed.ts'
import { tokenOf, VIEWERS } from '#bench/rig/feed-data.ts'
import { type BenchPostgres, openBenchCluster } from '#bench/rig/postgres.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'

const REQUESTS = 100
const ROUNDS = 5
const settings = ['shared_preload_libraries=pg_stat_statements']
/** Statements of other work: jobs, and the measurement itself. */
const OTHER = ['%pgboss%', '%pg_stat%']

/** Statement time of a server since the last call, ms. */
type StatementTime = () => Promise<number>

async function statementTimeOf(client: pg.Client): Promise<StatementTime> {
  await client.connect()
  return async () => {
    const { rows } = await client.query<{ ms: number }>(
      `select coalesce(sum(total_exec_time), 0)::float8 as ms from pg_stat_statements
        where not query like any($1)`,
      [OTHER],
    )
    await client.query('select pg_stat_statements_reset()')
    return rows[0]?.ms ?? 0
  }
}

/** Sends requests of viewers one after the other, with the cookies that their first ones got. */
async function requestAll(
  origin: string,
  path: (n: number) => string,
  jar: Map<string, string>,
): Promise<void> {
  for (let n = 0; n < REQUESTS; n++) {
    const token = tokenOf(n % VIEWERS)
    const cookie = jar.get(token) ?? ''
    const reply = await fetch(origin + path(n), { headers: { authorization: `Bearer ${token}`, cookie } })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${path(n)} was answered ${reply.status}`)
    const [given] = reply.headers.getSetCookie()
    if (given) jar.set(token, given.split(';')[0] ?? '')
  }
}

/** A server of the product, with the watermarks of its viewers and its statement times, ms. */
interface Measured {
  readonly product: Product
  readonly jar: Map<string, string>
  readonly sums: number[]
}

const measured = async (data: string, env: Record<string, string>): Promise<Measured> => ({
  product: await openProduct(data, env),
  jar: new Map(),
  sums: [],
})

/** Requests a page of both servers by turns, so that other work on the machine is in both times. */
async function measure(
  both: readonly Measured[],
  path: (n: number) => string,
  times: readonly StatementTime[],
): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++)
    for (const { product, jar, sums } of both) {
      for (const it of times) await it()
      await requestAll(product.url, path, jar)
      for (const [n, it] of times.entries()) {
        // The first round plans the statements, and gives each viewer a watermark.
        sums[n] = round === 0 ? 0 : (sums[n] ?? 0) + (await it())
      }
    }
}

const replicaOf = (primary: BenchPostgres): Promise<BenchPostgres | undefined> => {
  const folder = new URL(primary.url).searchParams.get('host') ?? ''
  const from = [
    'pg_basebackup',
    '-h',
    folder,
    '-U',
    'postgres',
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ]
  return openBenchCluster(settings, (data) => [...from, '-D', data])
}

/** Prints the times of both, and the part that the primary has no more. */
export async function benchReplicas(): Promise<void> {
  const primary = await openBenchCluster(settings)
  if (!primary) return console.log('\nPostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const env = { DATABASE_URL: primary.url }
  await (await openProduct(data, env)).close()
  const client = new pg.Client({ connectionString: primary.url })
  const ofPrimary = await statementTimeOf(client)
  await client.query('create extension pg_stat_statements')
  const pages = await fill('PostgreSQL', (sql, values) => client.query(sql, values))
  const replica = await replicaOf(primary)
  const replicaClient = new pg.Client({ connectionString: replica?.url })
  const ofReplica = await statementTimeOf(replicaClient)
  const urls = { DATABASE_REPLICA_URLS: replica?.url ?? '' }
  const alone = await measured(data, env)
  const both = await measured(data, { ...env, ...urls })
  await both.product.quiet()
  console.log(`\nstatement time of one request, ms; ${ROUNDS * REQUESTS} requests of each`)
  console.log('what                       alone   primary   replica   moved')
  for (const [name, path] of Object.entries(pages)) {
    await measure([alone, both], path, [ofPrimary, ofReplica])
    const [before = 0] = alone.sums
    const [primaryMs = 0, replicaMs = 0] = both.sums
    const perRequest = (ms: number) => (ms / ROUNDS / REQUESTS).toFixed(3).padStart(8)
    const moved = ((1 - primaryMs / before) * 100).toFixed(0).padStart(4)
    console.log(`${name.padEnd(24)}${[before, primaryMs, replicaMs].map(perRequest).join('  ')}  ${moved} %`)
  }
  await alone.product.close()
  await both.product.close()
  await Promise.all([client.end(), replicaClient.end()])
  await replica?.close()
  await primary.close()
  rmSync(data, { recursive: true, force: true })
}
