// Measures reading: home, profile, post and search, with 10,000 people, on both databases.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import {
  fillDatabase,
  LIKES,
  type Open,
  openToAll,
  PEOPLE,
  POSTS,
  type RunSql,
  tokenOf,
  VIEWERS,
} from './rig/feed-data.ts'
import { type LoadOptions, type Figures, load } from './rig/load.ts'
import { cpuOf } from './rig/memory.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { freePort, openProduct, type Product } from './rig/product.ts'
import type { Statement } from './rig/tap.ts'

/** Duration of each measurement, ms. */
const USUAL = 5
const CLIENTS = 16
/** Requests of each kind whose statements the bare route repeats. */
const TAPPED = 8

const words = ['海は', '写真', '配信', '衣装', '旅先', '手紙', '窓辺', '練習']
const nth = (all: readonly string[], n: number): string => all[n % all.length] ?? ''

type Pages = Readonly<Record<string, (n: number) => string>>

/** Requested pages, by their names in the table. */
const pagesOf = ({ posts, authors }: Open): Pages => ({
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

const asking =
  (path: (n: number) => string) =>
  (n: number): LoadOptions => ({ path: path(n), token: tokenOf(n % VIEWERS) })

async function answers(product: Product, path: (n: number) => string): Promise<boolean> {
  const { path: where, token = '' } = asking(path)(0)
  const answer = await fetch(product.url + where, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok
}

const line = (name: string, clients: number, it: Figures, bare?: Figures): string =>
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

/** The p99 of each page, by its name and the number of clients. */
type Taken = Map<string, number>

async function measure(product: Product, pages: Pages, ms: number, bare?: Bare): Promise<Taken> {
  const taken: Taken = new Map()
  console.log(
    '\nwhat                      clients      p50         p99      rate       CPU      bare  of it  its CPU',
  )
  for (const [name, path] of Object.entries(pages)) {
    if (!(await answers(product, path))) {
      console.log(`${name.padEnd(24)}  is not answered`)
      continue
    }
    for (const clients of [1, CLIENTS]) {
      const own = await load(product.url, clients, ms, asking(path), product.cpu)
      const route = encodeURIComponent(name)
      const other =
        bare !== undefined && clients > 1
          ? await load(bare.url, clients, ms, () => ({ path: `/${route}` }), bare.cpu)
          : undefined
      console.log(line(name, clients, own, other))
      taken.set(`${name} ${clients}`, own.p99)
    }
  }
  return taken
}

function sumUp(taken: Taken): void {
  const results = goals.map(({ name, clients, p99 }) => {
    const own = taken.get(`${name} ${clients}`) ?? Number.NaN
    return `${name} ${own.toFixed(1)} ms of ${p99} (${clients} clients) ${own < p99 ? 'met' : 'MISSED'}`
  })
  console.log(`\nPostgreSQL, p99: ${results.join('; ')}`)
}

/** The statements of some requests of each kind, as the product sends them. */
async function tap(dataDir: string, url: string, pages: Pages): Promise<Record<string, Statement[][]>> {
  const file = join(dataDir, 'tapped')
  writeFileSync(file, '')
  const preload = `--import=${join(import.meta.dirname, 'rig/tap.ts')}`
  const product = await openProduct(dataDir, { DATABASE_URL: url, NODE_OPTIONS: preload, TAP_FILE: file })
  // The work of the product's start is done.
  await product.quiet()
  const tapped: Record<string, Statement[][]> = {}
  for (const [name, path] of Object.entries(pages)) {
    tapped[name] = []
    for (let n = 0; n < TAPPED; n++) {
      writeFileSync(file, '')
      const { path: where, token = '' } = asking(path)(n)
      await fetch(product.url + where, { headers: { authorization: `Bearer ${token}` } })
      const recorded = readFileSync(file, 'utf8').split('\n').filter(Boolean)
      const statements = recorded.map((it) => JSON.parse(it) as Statement)
      // Jobs are fetched in parallel.
      tapped[name].push(
        statements.filter((it) => /^\s*(select|with)/i.test(it.text) && !it.text.includes('pgboss')),
      )
    }
  }
  await product.close()
  return tapped
}

async function explain(url: string, tapped: Record<string, Statement[][]>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  console.log('\nexplain (analyze, buffers) of one request: statements, their time, the indexes they read\n')
  for (const [name, requests] of Object.entries(tapped)) {
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
    const tapped = await tap(data, postgres.url, pages)
    await explain(postgres.url, tapped)
    const file = join(data, 'tapped.json')
    writeFileSync(file, JSON.stringify(tapped))
    const port = await freePort()
    const { pid = 0 } = (bare = spawn(process.execPath, [
      join(import.meta.dirname, 'rig/bare.ts'),
      postgres.url,
      file,
      String(port),
    ]))
    const product = await openProduct(data, env)
    await product.quiet()
    const taken = await measure(product, pages, ms, {
      url: `http://127.0.0.1:${port}`,
      cpu: () => cpuOf(pid),
    })
    await product.close()
    sumUp(taken)
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

async function fill(name: string, run: RunSql): Promise<Pages> {
  const from = Date.now()
  await fillDatabase(run)
  const { rows } = await run('select count(*)::int as n from post_likes')
  const likes = (rows[0] as { n: number }).n
  console.log(
    `\n${name}: ${POSTS} posts, ${PEOPLE} people, ${likes} of ${LIKES} likes, made in ${Math.round((Date.now() - from) / 1000)} s`,
  )
  return pagesOf(await openToAll(run))
}

/** @param seconds duration of each measurement */
export async function benchFeed(seconds = USUAL): Promise<void> {
  await onPostgres(seconds * 1000)
  await onPglite(seconds * 1000)
}
