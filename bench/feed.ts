// Measures reading: home, profile, post and search, with 10,000 people, on both databases.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import { freePort } from '#server/testing/free-port.ts'
import {
  fillDatabase,
  LIKES,
  type PublicData,
  publicData,
  PEOPLE,
  POSTS,
  type RunSql,
  tokenOf,
  VIEWERS,
} from './rig/feed-data.ts'
import { type LoadOptions, type Figures, load } from './rig/load.ts'
import { cpuOf } from './rig/memory.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'
import { recordStatements } from './rig/recorded-statements.ts'
import type { Statement } from './rig/statement-recorder.ts'

/** Default duration of each measurement, s. */
const DEFAULT_SECONDS = 5
const CLIENTS = 16

const words = ['海は', '写真', '配信', '衣装', '旅先', '手紙', '窓辺', '練習']
const nth = (all: readonly string[], n: number): string => all[n % all.length] ?? ''

type Pages = Readonly<Record<string, (n: number) => string>>

/** Requested pages, by their names in the table. */
const pagesOf = ({ posts, authors }: PublicData): Pages => ({
  'home, フォロー中': () => '/api/feed/following',
  'home, 新着': () => '/api/feed/latest',
  'home, プラン': () => '/api/feed/plans',
  'newer posts': () => '/api/feed/following/newer',
  'profile, head': (n) => `/api/users/${nth(authors, n)}`,
  'profile, posts': (n) => `/api/posts?author=${nth(authors, n)}`,
  post: (n) => `/api/posts/${nth(posts, n * 97)}`,
  'its comments': (n) => `/api/posts/${nth(posts, n * 97)}/comments`,
  'search, two characters': (n) => `/api/search/posts?q=${encodeURIComponent(nth(words, n))}`,
})

/** Goals on PostgreSQL: p99 of the reply times, ms, for so many clients. */
const goals: readonly { name: string; clients: number; p99: number }[] = [
  { name: 'home, フォロー中', clients: 16, p99: 50 },
  { name: 'home, 新着', clients: 16, p99: 50 },
  { name: 'home, プラン', clients: 16, p99: 50 },
  { name: 'search, two characters', clients: 1, p99: 20 },
]

const requestOf =
  (path: (n: number) => string) =>
  (n: number): LoadOptions => ({ path: path(n), token: tokenOf(n % VIEWERS) })

async function isAvailable(product: Product, path: (n: number) => string): Promise<boolean> {
  const { path: target, token = '' } = requestOf(path)(0)
  const answer = await fetch(product.url + target, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok
}

const formatRow = (name: string, clients: number, it: Figures, bare?: Figures): string =>
  [
    name.padEnd(24),
    String(clients).padStart(3),
    `${it.p50.toFixed(1)} ms`.padStart(10),
    `${it.p99.toFixed(1)} ms`.padStart(10),
    `${it.rate.toFixed(0)}/s`.padStart(8),
    `${it.cpu.toFixed(1)} ms`.padStart(8),
    bare
      ? `${bare.rate.toFixed(0)}/s`.padStart(8) +
        (it.rate / bare.rate).toFixed(2).padStart(7) +
        `${bare.cpu.toFixed(1)} ms`.padStart(10)
      : '',
  ].join('  ')

interface Bare {
  readonly url: string
  readonly cpu: () => number
}

/** The measured p99 of each page, by its name and the number of clients. */
type Measured = Map<string, number>

async function measure(product: Product, pages: Pages, ms: number, bare?: Bare): Promise<Measured> {
  const measured: Measured = new Map()
  console.log(
    '\nwhat                      clients      p50         p99      rate       CPU      bare  of it  its CPU',
  )
  for (const [name, path] of Object.entries(pages)) {
    if (!(await isAvailable(product, path))) {
      console.log(`${name.padEnd(24)}  is not answered`)
      continue
    }
    for (const clients of [1, CLIENTS]) {
      const figures = await load(product.url, clients, ms, requestOf(path), product.cpu)
      const route = encodeURIComponent(name)
      const bareFigures =
        bare !== undefined && clients > 1
          ? await load(bare.url, clients, ms, () => ({ path: `/${route}` }), bare.cpu)
          : undefined
      console.log(formatRow(name, clients, figures, bareFigures))
      measured.set(`${name} ${clients}`, figures.p99)
    }
  }
  return measured
}

function printResults(measured: Measured): void {
  const results = goals.map(({ name, clients, p99 }) => {
    const value = measured.get(`${name} ${clients}`) ?? Number.NaN
    return `${name} ${value.toFixed(1)} ms of ${p99} (${clients} clients) ${value < p99 ? 'met' : 'MISSED'}`
  })
  console.log(`\nPostgreSQL, p99: ${results.join('; ')}`)
}

async function explain(url: string, recorded: Record<string, Statement[][]>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  console.log('\nexplain (analyze, buffers) of one request: statements, their time, the indexes they read\n')
  for (const [name, requests] of Object.entries(recorded)) {
    const statements = requests.at(-1) ?? []
    const indexes = new Set<string>()
    let ms = 0
    let buffers = 0
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, [
        ...values,
      ])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      for (const [, it] of plan.matchAll(/(?:using|Bitmap Index Scan on) (\w+)/g)) if (it) indexes.add(it)
      for (const [, it] of plan.matchAll(/Seq Scan on (\w+)/g)) indexes.add(`${it} (all of it)`)
      ms += Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1] ?? 0)
      buffers += Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? 0)
    }
    console.log(
      `${name}: ${statements.length} statements, ${ms.toFixed(2)} ms, ${buffers} buffers; ${[...indexes].join(' ')}`,
    )
  }
  await client.end()
}

async function onPostgres(ms: number): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('\nPostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const env = { DATABASE_URL: postgres.url }
  let bare: ChildProcess | undefined
  try {
    await (await openProduct(data, env)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const pages = await fill('PostgreSQL', (sql, values) => client.query(sql, values))
    await client.end()
    const requests = Object.entries(pages).map(([name, path]) => [name, requestOf(path)] as const)
    const recorded = await recordStatements(data, postgres.url, Object.fromEntries(requests))
    await explain(postgres.url, recorded)
    const file = join(data, 'recorded.json')
    writeFileSync(file, JSON.stringify(recorded))
    const port = await freePort()
    const { pid = 0 } = (bare = spawn(process.execPath, [
      join(import.meta.dirname, 'rig/bare-route.ts'),
      postgres.url,
      file,
      String(port),
    ]))
    const product = await openProduct(data, env)
    await product.quiet()
    const measured = await measure(product, pages, ms, {
      url: `http://127.0.0.1:${port}`,
      cpu: () => cpuOf(pid),
    })
    await product.close()
    printResults(measured)
  } finally {
    bare?.kill()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}

async function onPglite(ms: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  try {
    await (await openProduct(data)).close()
    const folder = join(data, 'pglite')
    mkdirSync(folder, { recursive: true })
    const client = await PGlite.create({ fs: new NodeFS(folder) })
    const pages = await fill('PGlite', (sql, values) => client.query(sql, values))
    await client.close()
    const product = await openProduct(data)
    await product.quiet()
    await measure(product, pages, ms)
    await product.close()
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

export async function fill(name: string, run: RunSql): Promise<Pages> {
  const from = Date.now()
  await fillDatabase(run)
  const { rows } = await run('select count(*)::int as n from post_likes')
  const likes = (rows[0] as { n: number }).n
  console.log(
    `\n${name}: ${POSTS} posts, ${PEOPLE} people, ${likes} of ${LIKES} likes, made in ${Math.round((Date.now() - from) / 1000)} s`,
  )
  return pagesOf(await publicData(run))
}

/** @param seconds duration of each measurement */
export async function benchFeed(seconds = DEFAULT_SECONDS): Promise<void> {
  await onPostgres(seconds * 1000)
  await onPglite(seconds * 1000)
}
