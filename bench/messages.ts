// Measures pages of long conversations, the search in messages, and how soon a message arrives.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#server/testing/free-port.ts'
import { type LoadOptions, load } from './rig/load.ts'
import { cpuOf } from './rig/memory.ts'
import { fillMessages, FREQUENT, idOf, LONGEST, MESSAGES, RARE, readerToken } from './rig/message-data.ts'
import { measureArrival } from './rig/message-arrival.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'
import { recordStatements } from './rig/recorded-statements.ts'

const DEFAULT_SECONDS = 5
const CLIENTS = 16
const ROUNDS = 3
const GOAL_MS = 50

const conversation = `/api/conversations/${idOf('other', 1)}`
/** A place in the longest conversation, another one for each request. */
const placeOf = (n: number): number => 1 + ((n * 7919) % LONGEST)
const own = (path: string): LoadOptions => ({ path, token: readerToken })
const search = (words: string, more = ''): LoadOptions =>
  own(`/api/messages/search?q=${encodeURIComponent(words)}${more}`)

const requests: Readonly<Record<string, (n: number) => LoadOptions>> = {
  'state of a conversation': () => own(conversation),
  'newest messages': () => own(`${conversation}/messages`),
  'older messages': (n) => own(`${conversation}/messages?before=${placeOf(n)}`),
  'messages around one': (n) => own(`${conversation}/messages?around=${placeOf(n)}`),
  'changes since': (n) => own(`${conversation}/changes?after=${LONGEST - (n % 20)}`),
  'list of conversations': () => own('/api/conversations'),
  'unread messages': () => own('/api/conversations/unread'),
  'search of a rare word': () => search(RARE),
  'search of a frequent word': () => search(FREQUENT),
  'search of two words': () => search('図書館 配信'),
  'search without a hit': () => search('存在しないことば'),
  'search with a person': () => search(FREQUENT, `&user_id=${idOf('other', 1)}`),
  'search of a rare word with a person': () => search(RARE, `&user_id=${idOf('other', 1)}`),
  'search with a video': () => search(FREQUENT, '&has=video'),
}

interface Bare {
  readonly url: string
  readonly cpu: () => number
}

async function measurePages(product: Product, bare: Bare, ms: number): Promise<void> {
  console.log(
    `\na reader of ${MESSAGES} messages, ${LONGEST} of them in one conversation, ${CLIENTS} clients`,
  )
  for (const [name, request] of Object.entries(requests)) {
    const rounds: { p50: number; p99: number; ratio: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const it = await load(product.url, CLIENTS, ms, request, product.cpu)
      const path = `/${encodeURIComponent(name)}`
      const base = await load(bare.url, CLIENTS, ms, () => ({ path }), bare.cpu)
      rounds.push({ p50: it.p50, p99: it.p99, ratio: it.p50 / base.p50 })
    }
    const one = await load(product.url, 1, ms, request, product.cpu)
    const worst = Math.max(...rounds.map((it) => it.p99))
    const each = (of: 'p50' | 'p99' | 'ratio') =>
      rounds.map((it) => it[of].toFixed(of === 'ratio' ? 2 : 1)).join(', ')
    console.log(
      `${name}: p50 ${each('p50')} ms (${each('ratio')} of the bare route); p99 ${each('p99')} ms; one client p99 ${one.p99.toFixed(1)} ms; ${worst < GOAL_MS ? 'met' : one.p99 < GOAL_MS ? 'met with one client' : 'MISSED'} p99 < ${GOAL_MS} ms`,
    )
  }
}

/** @param seconds duration of each measurement of a page */
export async function benchMessages(seconds = DEFAULT_SECONDS): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const app = { REVERB_APP_ID: 'bench', REVERB_APP_KEY: 'bench', REVERB_APP_SECRET: randomUUID() }
  const options = { DATABASE_URL: postgres.url, ...app }
  let bare: ChildProcess | undefined
  try {
    await (await openProduct(data, options)).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fillMessages((sql, values) => client.query(sql, values))
    await client.end()
    const file = join(data, 'recorded.json')
    writeFileSync(file, JSON.stringify(await recordStatements(data, postgres.url, requests)))
    const port = await freePort()
    const program = join(import.meta.dirname, 'rig/bare-route.ts')
    const { pid = 0 } = (bare = spawn(process.execPath, [program, postgres.url, file, String(port)]))
    const product = await openProduct(data, options)
    await product.quiet()
    await measurePages(product, { url: `http://127.0.0.1:${port}`, cpu: () => cpuOf(pid) }, seconds * 1000)
    await measureArrival(product, app.REVERB_APP_KEY, ROUNDS)
    await product.close()
  } finally {
    bare?.kill()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
