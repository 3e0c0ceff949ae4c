// Measures deliveries of broadcasts beside bare transactions of as many rows.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newId } from '#contract/ids.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const DEFAULT_RECIPIENTS = 10_000
const ROUNDS = 3
const POLL_MS = 100

const tables = ['conversations', 'conversation_members', 'messages', 'message_search', 'pgboss.job'] as const

/** Adds accounts that are members of a plan, and of nothing else. */
async function addCrowd(client: pg.Client, planId: string, size: number): Promise<void> {
  const ids = Array.from({ length: size }, () => newId())
  await client.query(
    `insert into users (id, email, password_hash, name, birth_date, created_at)
     select id, id || '@bench.example', 'none', 'ファン', '1990-04-01', now() - interval '90 days' from unnest($1::uuid[]) as id`,
    [ids],
  )
  await client.query(
    `insert into plan_members (plan_id, user_id, joined_at) select $1, id, now() from unnest($2::uuid[]) as id`,
    [planId, ids],
  )
}

/** A plan of the demo creator. */
async function addPlan(client: pg.Client): Promise<string> {
  const id = newId()
  await client.query(
    `insert into plans (id, creator_id, name, price, created_at)
     select $1, id, '計測', 500, now() from users where email = 'creator@demo.todoke.example'`,
    [id],
  )
  return id
}

async function rowCount(client: pg.Client): Promise<number> {
  const counts = tables.map((it) => `(select count(*) from ${it})`)
  const { rows } = await client.query<{ n: string }>(`select ${counts.join(' + ')} as n`)
  return Number(rows[0]?.n ?? 0)
}

/** Sends a broadcast and waits until it is done. @returns recipients a second */
async function deliveryRate(
  { url, token }: Product,
  client: pg.Client,
  planId: string,
  size: number,
): Promise<number> {
  const id = newId()
  const began = performance.now()
  const reply = await fetch(`${url}/api/broadcasts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, content: `計測のための一斉送信です ${id}`, plan_ids: [planId] }),
  })
  if (!reply.ok) throw new Error(`the broadcast was answered with ${reply.status} ${await reply.text()}`)
  const accepted = performance.now() - began
  for (;;) {
    const { rows } = await client.query('select 1 from broadcasts where id = $1 and done_at is not null', [
      id,
    ])
    if (rows.length > 0) break
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
  const rate = (size * 1000) / (performance.now() - began)
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from broadcast_recipients r join messages m on m.id = r.message_id
     where r.broadcast_id = $1 and r.state = 'delivered'`,
    [id],
  )
  if (Number(rows[0]?.n) !== size) throw new Error(`${rows[0]?.n} of ${size} were delivered`)
  console.log(`  accepted in ${accepted.toFixed(0)} ms`)
  return rate
}

/** Inserts rows one by one, in a transaction for each recipient. */
async function bareRate(client: pg.Client, size: number, perRecipient: number): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < size; n++) {
    await client.query('begin')
    for (let row = 0; row < perRecipient; row++)
      await client.query('insert into bare_rows (id, n, words) values ($1, $2, $3)', [
        randomUUID(),
        n,
        'x'.repeat(100),
      ])
    await client.query('commit')
  }
  return (size * 1000) / (performance.now() - began)
}

/** @param recipients of each broadcast, none of whom has a conversation with the creator before */
export async function benchBroadcast(recipients = DEFAULT_RECIPIENTS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const product = await openProduct(data, { DATABASE_URL: postgres.url })
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      'create table bare_rows (id uuid primary key, n integer not null, words text not null)',
    )
    const ratios: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      // The first round is the warm-up.
      const size = round === 0 ? Math.min(recipients, 200) : recipients
      const planId = await addPlan(client)
      await addCrowd(client, planId, size)
      await product.quiet()
      const before = await rowCount(client)
      const delivered = await deliveryRate(product, client, planId, size)
      const perRecipient = Math.round(((await rowCount(client)) - before) / size)
      await product.quiet()
      const bare = await bareRate(client, size, perRecipient)
      if (round === 0) continue
      ratios.push(delivered / bare)
      console.log(
        `round ${round}: ${delivered.toFixed(0)} recipients/s of ${size}; ${bare.toFixed(0)} bare transactions/s of ${perRecipient} rows; ratio ${(delivered / bare).toFixed(2)}`,
      )
    }
    const [least, median, most] = ratios.toSorted((a, b) => a - b)
    console.log(`ratio min / median / max: ${[least, median, most].map((it) => it?.toFixed(2)).join(' / ')}`)
  } finally {
    await client.end()
    await product.close()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
