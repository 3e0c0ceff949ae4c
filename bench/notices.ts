// Measures pages of a list with 100,000 notices of the operator, by state.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { noticeLists } from '#contract/notices/notice-states.ts'
import { type LoadOptions, load } from './rig/load.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const NOTICES = 100_000
const DEFAULT_SECONDS = 3
const CLIENTS = 4
const GOAL_MS = 100
const WARM_UP_MS = 5000
const MINUTE = 60_000

const token = 'bench-session-of-notices'
const staffId = '00000001-0000-7000-a000-000000000001'

/** One notice a minute in turn of all states but `publishing`, which the server would continue; published ones have readers on five days. */
async function fill(run: (sql: string, values?: unknown[]) => Promise<unknown>): Promise<void> {
  await run(
    `insert into users (id, email, password_hash, name, birth_date, role, created_at)
     values ($1, 'staff@bench.example', 'none', '運営', '1990-04-01', 'moderator', now())`,
    [staffId],
  )
  await run(
    `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at)
     values ($1, gen_random_uuid(), $2, now(), now() + interval '1 day', now() + interval '300 days')`,
    [createHash('sha256').update(token).digest('base64url'), staffId],
  )
  await run(
    `insert into notices (id, title, body, content, state, audience, pushes, mails, is_advertising, is_urgent,
       created_at, published_at, total, reached, delivered)
     select gen_random_uuid(), 'お知らせ' || n, repeat('本文です。', 200), '[]',
       (array['draft', 'scheduled', 'stopped', 'published', 'published', 'withdrawn'])[1 + n % 6], 'all', true, true,
       false, false, now() - n * interval '1 minute', now() + interval '1 year', 10, 10, 10
     from generate_series(1, ${NOTICES}) n`,
  )
  await run(
    `insert into notice_read_days select id, d::date, 5 from notices,
       generate_series(date '2026-11-01', date '2026-11-05', interval '1 day') d where state = 'published'`,
  )
  await run('vacuum analyze notices, notice_read_days')
}

/** Measures the first page of a list, and pages at any place of it. */
async function measure({ url, cpu }: Product, list: string, began: number, ms: number): Promise<void> {
  const request = (n: number): LoadOptions => {
    const at = new Date(began - ((n * 104_729) % NOTICES) * MINUTE).toISOString()
    const cursor = Buffer.from(JSON.stringify([at, staffId])).toString('base64url')
    return { path: `/api/admin/notices?list=${list}${n % 2 === 0 ? '' : `&cursor=${cursor}`}`, token }
  }
  const { p50, p99 } = await load(url, CLIENTS, ms, request, cpu)
  const verdict = p99 < GOAL_MS ? 'met' : 'MISSED'
  console.log(
    `${list}: ${CLIENTS} clients: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${verdict} p99 < ${GOAL_MS} ms`,
  )
}

/** @param seconds duration of each measurement */
export async function benchNotices(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const options = { DATABASE_URL: postgres.url }
  try {
    await (await openProduct(data, options)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fill((sql, values) => client.query(sql, values))
    await client.end()
    const product = await openProduct(data, options)
    await product.quiet()
    await load(product.url, CLIENTS, WARM_UP_MS, () => ({ path: '/api/admin/notices', token }), product.cpu)
    console.log(`\na list with ${NOTICES} notices`)
    const began = Date.now()
    for (const list of noticeLists) await measure(product, list, began, seconds * 1000)
    await product.close()
  } finally {
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
