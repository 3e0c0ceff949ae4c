// Measures how much statement time of the primary a replica takes over.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fill, type Pages } from '#bench/feed.ts'
import { tokenOf, VIEWERS } from '#bench/rig/feed-data.ts'
import { type BenchPostgres, openBenchCluster } from '#bench/rig/postgres.ts'
import { openProduct } from '#bench/rig/product.ts'

const REQUESTS = 400
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

/** @returns ms of each server for one request, by page */
async function measure(
  env: Record<string, string>,
  data: string,
  pages: Pages,
  times: readonly StatementTime[],
): Promise<Map<string, readonly number[]>> {
  const product = await openProduct(data, env)
  const found = new Map<string, readonly number[]>()
  const jar = new Map<string, string>()
  await product.quiet()
  for (const [name, path] of Object.entries(pages)) {
    // The first round plans the statements, and gives each viewer a watermark.
    await requestAll(product.url, path, jar)
    for (const it of times) await it()
    await requestAll(product.url, path, jar)
    const sums: number[] = []
    for (const it of times) sums.push((await it()) / REQUESTS)
    found.set(name, sums)
  }
  await product.close()
  return found
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
  const alone = await measure(env, data, pages, [ofPrimary])
  const urls = { DATABASE_REPLICA_URLS: replica?.url ?? '' }
  const both = await measure({ ...env, ...urls }, data, pages, [ofPrimary, ofReplica])
  console.log(`\nstatement time of one request, ms; ${REQUESTS} requests of each`)
  console.log('what                       alone   primary   replica   moved')
  for (const [name, [before = 0]] of alone) {
    const [primaryMs = 0, replicaMs = 0] = both.get(name) ?? []
    const figures = [before, primaryMs, replicaMs].map((it) => it.toFixed(3).padStart(8)).join('  ')
    console.log(`${name.padEnd(24)}${figures}  ${((1 - primaryMs / before) * 100).toFixed(0).padStart(4)} %`)
  }
  await Promise.all([client.end(), replicaClient.end()])
  await replica?.close()
  await primary.close()
  rmSync(data, { recursive: true, force: true })
}
