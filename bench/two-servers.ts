// Compares one server with two on the same PostgreSQL, by the home page's request.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fillDatabase, tokenOf, VIEWERS } from './rig/feed-data.ts'
import { type Figures, load } from './rig/load.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const DEFAULT_SECONDS = 5
const ROUNDS = 3
const CLIENTS = 16

interface Total {
  /** Replies per second of all servers. */
  readonly rate: number
  /** The worst 99th percentile of a server, ms. */
  readonly p99: number
}

/** @param seconds duration of each measurement */
export async function benchTwoServers(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) throw new Error("PostgreSQL's programs are not here")
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const env = { DATABASE_URL: postgres.url }
  const servers: Product[] = []
  try {
    await (await openProduct(data, env)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fillDatabase((sql, values) => client.query(sql, values))
    await client.end()
    for (let n = 0; n < 2; n++) servers.push(await openProduct(data, env))
    for (const it of servers) await it.quiet()
    await compare(servers, seconds * 1000)
  } finally {
    for (const it of servers) await it.close()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function compare(servers: readonly Product[], ms: number): Promise<void> {
  console.log(`home, フォロー中, ${CLIENTS} clients, ${ROUNDS} rounds in turns: replies per second, p99`)
  const ratios: number[] = []
  for (let n = 1; n <= ROUNDS; n++) {
    const [one, two] = [await measure(servers.slice(0, 1), ms), await measure(servers, ms)]
    ratios.push(two.rate / one.rate)
    console.log(`round ${n}  one server ${text(one)}   two ${text(two)}   ratio ${ratios.at(-1)?.toFixed(2)}`)
  }
  const sorted = ratios.toSorted((a, b) => a - b).map((it) => it.toFixed(2))
  console.log(`ratio  min ${sorted[0]}  median ${sorted[ROUNDS >> 1]}  max ${sorted.at(-1)}`)
}

const text = ({ rate, p99 }: Total): string => `${rate.toFixed(0)}/s ${p99.toFixed(0)} ms`

/** The same number of clients in all, spread over the servers. */
async function measure(servers: readonly Product[], ms: number): Promise<Total> {
  const figures: Figures[] = await Promise.all(
    servers.map(({ url, cpu }) =>
      load(
        url,
        CLIENTS / servers.length,
        ms,
        (n) => ({ path: '/api/feed/following', token: tokenOf(n % VIEWERS) }),
        cpu,
      ),
    ),
  )
  return {
    rate: figures.reduce((sum, it) => sum + it.rate, 0),
    p99: Math.max(...figures.map((it) => it.p99)),
  }
}
