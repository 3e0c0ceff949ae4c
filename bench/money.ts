// Measures notices beside bare inserts, and pages of a creator with 100,000 purchases.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ReplyOf } from '#contract/endpoint.ts'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import type { beginPayment } from '#contract/payments/payments.ts'
import { freePort } from '#server/testing/free-port.ts'
import { closedMonths } from './rig/closed-months.ts'
import { type LoadOptions, load } from './rig/load.ts'
import { cpuOf } from './rig/memory.ts'
import {
  buyerToken,
  creatorToken,
  FANS,
  fanToken,
  fillMoney,
  idOf,
  MEMBERS,
  memberToken,
  PLAN_ID,
  PRICE,
  PURCHASES,
} from './rig/money-data.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'
import { recordStatements } from './rig/recorded-statements.ts'
import { measureSalesFile } from './rig/sales-file.ts'

const DEFAULT_SECONDS = 5
const ROUNDS = 3
/** Notices of one round. */
const NOTICES = 200
const AT_ONCE = 8
const CLIENTS = 16
/** Of a page, and of the pages that sum a year of sales. */
const GOAL_MS = 50
const SALES_GOAL_MS = 100
const NOTICE_PATH = 'b'.repeat(32)

const env = { PAYMENT_NOTICE_PATH: NOTICE_PATH, PAYMENTS_PER_HOUR: '1000000' }

const saleTables = [
  'payment_notices',
  'charges',
  'ledger_entries',
  'ledger_lines',
  'post_purchases',
  'memberships',
  'plan_members',
  'notifications',
  'notification_actors',
  'letters',
  'pgboss.job',
] as const

const requests: Readonly<Record<string, (n: number) => LoadOptions>> = {
  'gate of a post': (n) => ({
    path: `/api/posts/${idOf('post', 1 + (n % 100))}`,
    token: fanToken(n % FANS),
  }),
  'gate of a plan post': (n) => ({
    path: `/api/posts/${idOf('post', 1000)}`,
    token: fanToken(n % FANS),
  }),
  'plan post of a member': (n) => ({ path: `/api/posts/${idOf('post', 1000)}`, token: memberToken(n) }),
  'own plans': () => ({ path: '/api/plans/own', token: creatorToken }),
  'members of a plan': () => ({ path: `/api/plans/${PLAN_ID}/members`, token: creatorToken }),
  'joined plans': (n) => ({ path: '/api/plans/joined', token: memberToken(n) }),
  'purchase history': (n) => ({ path: '/api/payments', token: buyerToken(n) }),
  sales: () => ({ path: '/api/sales', token: creatorToken }),
  'sales of another month': (n) => ({
    path: `/api/sales?month=${monthAgo(1 + (n % 11))}`,
    token: creatorToken,
  }),
  'entries of sales': () => ({ path: '/api/sales/entries', token: creatorToken }),
  profile: (n) => ({ path: `/api/users/${idOf('creator', 1)}`, token: fanToken(n % FANS) }),
  'posts of the creator': (n) => ({
    path: `/api/posts?author=${idOf('creator', 1)}`,
    token: fanToken(n % FANS),
  }),
}

/** The month that is so many months before the current one, `YYYY-MM`. */
function monthAgo(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
}

/** Runs the work for 0 to `count - 1`, some at once. @returns how many a second were done */
async function rateOf(count: number, work: (n: number, lane: number) => Promise<void>): Promise<number> {
  let next = 0
  const began = performance.now()
  const lane = async (_: unknown, at: number) => {
    while (next < count) await work(next++, at)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return (count * 1000) / (performance.now() - began)
}

type Kind = 'post' | 'plan'

/** Fans who pay for posts, and others who join the plan. */
const firstFan = { post: 0, plan: 1000 } as const

/** Begins the payment of a fan. @returns the query of its notice */
async function begunNotice({ url }: Product, kind: Kind, nth: number): Promise<string> {
  const n = firstFan[kind] + nth
  const item = kind === 'post' ? { post_id: idOf('post', 1) } : { plan_id: PLAN_ID }
  const reply = await fetch(`${url}/api/${kind === 'post' ? 'payments' : 'memberships'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fanToken(n)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ payment_id: paymentIdOf(n), ...item, price: PRICE }),
  })
  if (!reply.ok) throw new Error(`a payment could not be begun: ${reply.status} ${await reply.text()}`)
  const { start } = (await reply.json()) as ReplyOf<typeof beginPayment>
  const fields = new Map((start?.is === 'form' ? start.form.fields : []).map((it) => [it.name, it.value]))
  const passed = ['aid', 'payment_id', 'session_id', 'auth_id'].map(
    (name) => [name, fields.get(name) ?? ''] as const,
  )
  const gid = randomUUID()
  const total = String(PRICE)
  const known = {
    gid,
    rst: '1',
    ap: '000000',
    ec: '',
    god: gid,
    cod: '',
    am: total,
    tx: '0',
    sf: '0',
    ta: total,
    ...(kind === 'plan' && { acid: randomUUID() }),
  }
  return new URLSearchParams({ ...known, ...Object.fromEntries(passed) }).toString()
}

const paymentIdOf = (n: number): string => idOf('payment', 1e9 + n)

/** Opens a connection. After a failure the database is stopped first, which is no error of its own. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Rows in the tables to which a sale adds. */
async function saleRows(client: pg.Client): Promise<number> {
  const counts = saleTables.map((it) => `(select count(*) from ${it})`)
  const { rows } = await client.query<{ n: string }>(`select ${counts.join(' + ')} as n`)
  return Number(rows[0]?.n ?? 0)
}

/** Inserts rows one by one, in a transaction for each notice. */
async function bareRate(clients: readonly pg.Client[], perNotice: number): Promise<number> {
  return rateOf(NOTICES, async (n, lane) => {
    const client = clients[lane]
    if (!client) throw new Error('there is no connection')
    await client.query('begin')
    for (let row = 0; row < perNotice; row++)
      await client.query('insert into bare_rows (id, n, words) values ($1, $2, $3)', [
        randomUUID(),
        n,
        'x'.repeat(100),
      ])
    await client.query('commit')
  })
}

const summary = (all: readonly number[]): string => {
  const sorted = all.toSorted((a, b) => a - b)
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return [least, median, most].map((it) => (it ?? Number.NaN).toFixed(2)).join(' / ')
}

async function measureNotices(
  product: Product,
  client: pg.Client,
  { url, kind }: { readonly url: string; readonly kind: Kind },
): Promise<void> {
  console.log(`\nnotices of a ${kind}`)
  await client.query(
    'create table if not exists bare_rows (id uuid primary key, n integer not null, words text not null)',
  )
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => connect(url)))
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const queries: string[] = []
    for (let n = 0; n < NOTICES; n++) queries.push(await begunNotice(product, kind, round * NOTICES + n))
    await product.quiet()
    const before = await saleRows(client)
    const handled = await rateOf(NOTICES, async (n) => {
      const reply = await fetch(`${product.url}${PAYMENT_NOTICES_PATH}/${NOTICE_PATH}?${queries[n]}`)
      if (!reply.ok) throw new Error(`a notice was answered with ${reply.status}`)
      await reply.text()
    })
    await product.quiet()
    const perNotice = Math.round(((await saleRows(client)) - before) / NOTICES)
    const bare = await bareRate(clients, perNotice)
    // The first round is the warm-up.
    if (round === 0) continue
    ratios.push(handled / bare)
    console.log(
      `round ${round}: ${handled.toFixed(0)} notices/s; ${bare.toFixed(0)} bare transactions/s of ${perNotice} rows; ratio ${(handled / bare).toFixed(2)}`,
    )
  }
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from payments where state = 'paid' and kind = $1 and id between $2 and $3`,
    [kind, paymentIdOf(0), paymentIdOf(1e6)],
  )
  console.log(`ratio min / median / max: ${summary(ratios)}; ${rows[0]?.n} of ${(ROUNDS + 1) * NOTICES} paid`)
  await Promise.all(clients.map((it) => it.end()))
}

async function measurePages(
  product: Product,
  bare: { readonly url: string; readonly cpu: () => number },
  ms: number,
): Promise<void> {
  console.log(`\na creator with ${PURCHASES} purchases and ${MEMBERS} members, ${CLIENTS} clients`)
  for (const [name, request] of Object.entries(requests)) {
    const it = await load(product.url, CLIENTS, ms, request, product.cpu)
    const path = `/${encodeURIComponent(name)}`
    const base = await load(bare.url, CLIENTS, ms, () => ({ path }), bare.cpu)
    const one = await load(product.url, 1, ms, request, product.cpu)
    const goal = name.includes('sales') ? SALES_GOAL_MS : GOAL_MS
    const ratio = (a: number, b: number) => `${a.toFixed(1)} ms, ${(a / b).toFixed(2)} of the bare route`
    console.log(
      `${name}: p50 ${ratio(it.p50, base.p50)}; p99 ${ratio(it.p99, base.p99)}; ${it.p99 < goal ? 'met' : 'MISSED'} p99 < ${goal} ms; one client p99 ${one.p99.toFixed(1)} ms`,
    )
  }
}

/** @param seconds duration of each measurement of a page */
export async function benchMoney(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const options = { DATABASE_URL: postgres.url, ...env }
  let bare: ChildProcess | undefined
  try {
    await (await openProduct(data, options)).close()
    const client = await connect(postgres.url)
    await fillMoney((sql, values) => client.query(sql, values))
    // Before statements are recorded: pages of open months need others.
    const closing = await openProduct(data, options)
    await closedMonths(client)
    await closing.close()
    const file = join(data, 'recorded.json')
    writeFileSync(file, JSON.stringify(await recordStatements(data, postgres.url, requests)))
    const port = await freePort()
    const program = join(import.meta.dirname, 'rig/bare-route.ts')
    const { pid = 0 } = (bare = spawn(process.execPath, [program, postgres.url, file, String(port)]))
    const product = await openProduct(data, options)
    await product.quiet()
    await measurePages(product, { url: `http://127.0.0.1:${port}`, cpu: () => cpuOf(pid) }, seconds * 1000)
    await measureSalesFile(product, ROUNDS)
    for (const kind of ['post', 'plan'] as const)
      await measureNotices(product, client, { url: postgres.url, kind })
    await product.close()
    await client.end()
  } finally {
    bare?.kill()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
