// Measures the start job that makes search entries of an earlier folding again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { FOLDING } from '#contract/text/fold.ts'
import { fillDatabase, PEOPLE, POSTS, type RunSql, tokenOf, VIEWERS } from '#bench/rig/feed-data.ts'
import { load, type LoadOptions } from '#bench/rig/load.ts'
import { openBenchPostgres } from '#bench/rig/postgres.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'

/** Time of one measurement of replies, ms. */
const STEP = 10_000
const READERS = 4

const pages: Readonly<Record<string, string>> = {
  home: '/api/feed/latest',
  search: `/api/search/posts?q=${encodeURIComponent('写真')}`,
}

/** Adds posts with their entries until there are so many. */
async function addPosts(run: RunSql, all: number): Promise<void> {
  for (let made = POSTS; made < all; made += POSTS) {
    const moved = `('0000000a-0000-7000-8000-' || lpad(to_hex(row_number() over () + ${made}), 12, '0'))::uuid as id`
    await run(`create temp table more on commit preserve rows as
      select ${moved}, p.id as like_id from posts p where p.id < '00000003-0000-7000-8000-000000000000' limit ${Math.min(POSTS, all - made)}`)
    await run(`insert into posts (id, author_id, type, content, is_age_limited, created_at, released_at)
      select more.id, author_id, 1, content, false, created_at, released_at from more join posts p on p.id = more.like_id`)
    await run(`insert into post_search (post_id, released_at, grams, folded)
      select more.id, released_at, grams, folded from more join post_search s on s.post_id = more.like_id`)
    await run('drop table more')
  }
}

async function prepare(url: string, all: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run: RunSql = (sql, values) => client.query(sql, values)
  await fillDatabase(run)
  await run('set session_replication_role = replica')
  await addPosts(run, all)
  await run('update post_search set folding = 1')
  await run('update person_search set folding = 1')
  await run('set session_replication_role = default')
  await run('vacuum analyze post_search, person_search, posts')
  await run('checkpoint')
  await client.end()
}

const requestOf =
  (path: string) =>
  (n: number): LoadOptions => ({ path, token: tokenOf(n % VIEWERS) })

async function measure(product: Product, when: string): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    const { p50, p99, rate } = await load(product.url, READERS, STEP, requestOf(path), product.cpu)
    console.log(
      `${when.padEnd(14)} ${name.padEnd(8)} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${rate.toFixed(0)}/s`,
    )
  }
}

/** Waits until no entry of a post or a person is outdated. */
async function untilMade(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const outdated = (table: string) => `exists (select 1 from ${table} where folding < ${FOLDING})`
  for (;;) {
    const { rows } = await client.query<{ it: boolean }>(
      `select ${outdated('post_search')} or ${outdated('person_search')} as it`,
    )
    if (rows[0]?.it !== true) break
    await new Promise((done) => setTimeout(done, 500))
  }
  await client.end()
}

/** @param all number of posts */
export async function benchFolding(all = POSTS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) {
    console.log('PostgreSQL is not installed')
    return
  }
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  try {
    const env = { DATABASE_URL: postgres.url }
    await (await openProduct(data, env)).close()
    await prepare(postgres.url, all)
    const from = Date.now()
    const product = await openProduct(data, env)
    await measure(product, 'meanwhile')
    await untilMade(postgres.url)
    const seconds = (Date.now() - from) / 1000
    console.log(`${all} posts and ${PEOPLE} people: made again in ${seconds.toFixed(0)} s`)
    await measure(product, 'afterwards')
    await product.close()
  } finally {
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
