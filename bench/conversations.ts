// Compares typing and presence in 500 conversations with the same 1,000 idle sockets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import pg from 'pg'
import { WebSocket } from 'ws'
import { conversationChannel, personChannel, TYPING } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct, type Product } from './rig/product.ts'

const PEOPLE = 1000
const ROUNDS = 3
/** Connections opened at the same time, below the limit of unauthorized ones. */
const AT_ONCE = 50
/** As pages report typing and read presence, s. */
const TYPING_EVERY = 3
const PRESENCE_EVERY = 60
/** The check of all connections runs once in this time, so that each measurement has one, s. */
const DEFAULT_SECONDS = 60
const app = { id: 'bench', key: 'bench', secret: randomUUID() }

const idOf = (kind: 1 | 2 | 3, n: number) => `0000000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`
const tokenOf = (n: number) => `bench-conversation-${n}`
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const channelOf = (n: number) => conversationChannel(idOf(3, Math.floor(n / 2)))
/** The other person of the conversation. */
const otherOf = (n: number) => n ^ 1

/** People with sessions who show their presence, and have written to each other in pairs. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let n = 0; n < PEOPLE; n++) {
    const [id, conversation] = [idOf(1, n), idOf(3, Math.floor(n / 2))]
    await client.query(
      `insert into users (id, email, password_hash, name, birth_date, handle, bio, created_at)
       values ($1, $2, 'none', '人', '1990-04-01', $3, '', now())`,
      [id, `talker${n}@bench.example`, `talker_${n}`],
    )
    await client.query(
      `insert into user_settings (user_id, message_from, shows_age_limited, shows_presence, updated_at)
       values ($1, 'everyone', true, true, now())`,
      [id],
    )
    // Last used in the future, so that recording a session's use is not measured.
    await client.query(
      `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at)
       values ($1, $2, $3, now(), now() + interval '1 day', now() + interval '300 days')`,
      [hashOf(tokenOf(n)), idOf(2, n), id],
    )
    await client.query(
      `insert into conversations (id, pair, created_at) values ($1, $2, now()) on conflict do nothing`,
      [conversation, [id, idOf(1, otherOf(n))].toSorted().join(':')],
    )
    await client.query(
      `insert into conversation_members (conversation_id, user_id, state, last_at) values ($1, $2, 'accepted', now())`,
      [conversation, id],
    )
  }
  await client.query('analyze')
  await client.end()
}

function grant(socketId: string, channel: string, n: number): object {
  const user = { user_id: idOf(1, n), user_info: { name: '人' } }
  const data = JSON.stringify({ ...user, session_id: idOf(2, n), at: Date.now() })
  const signature = createHmac('sha256', app.secret).update(`${socketId}:${channel}:${data}`).digest('hex')
  return { channel, auth: `${app.key}:${signature}`, channel_data: data }
}

/** Number of typing events that other pages have received, and what the server refused. */
let received = 0
const refused: string[] = []

/** Joins the channel of the person and that of the conversation. */
function joinChannels(socket: WebSocket, n: number): Promise<void> {
  let joined = 0
  return new Promise((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('message', (bytes: Buffer) => {
      const { event, data } = JSON.parse(bytes.toString()) as { event: string; data: string }
      if (event === TYPING) received += 1
      if (event === 'pusher:ping') socket.send(JSON.stringify({ event: 'pusher:pong', data: {} }))
      if (event === 'pusher:error') refused.push(JSON.stringify(data))
      if (event === 'pusher_internal:subscription_succeeded' && ++joined === 2) resolve()
      if (event !== 'pusher:connection_established') return
      const { socket_id: id } = JSON.parse(data) as { socket_id: string }
      for (const channel of [personChannel(idOf(1, n)), channelOf(n)])
        socket.send(JSON.stringify({ event: 'pusher:subscribe', data: grant(id, channel, n) }))
    })
  })
}

async function openSockets(product: Product): Promise<WebSocket[]> {
  const url = `${product.url.replace('http', 'ws')}${REALTIME_PATH}/app/${app.key}?protocol=7`
  const sockets: WebSocket[] = []
  while (sockets.length < PEOPLE) {
    const some = Array.from({ length: AT_ONCE }, () => new WebSocket(url))
    await Promise.all(some.map((it, i) => joinChannels(it, sockets.length + i)))
    sockets.push(...some)
  }
  return sockets
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs `act` for each of so many, spread evenly over `every` seconds, for `seconds`. */
async function evenly(
  count: number,
  every: number,
  seconds: number,
  act: (n: number) => void,
): Promise<void> {
  const began = performance.now()
  const rate = count / every
  for (let done = 0; ;) {
    const elapsed = (performance.now() - began) / 1000
    const due = Math.floor(Math.min(elapsed, seconds) * rate)
    while (done < due) act(done++ % count)
    if (elapsed >= seconds) return
    await pause(10)
  }
}

interface Measured {
  /** Processor time of the server, ms a second. */
  readonly cpu: number
  /** Typing events received or replies of presence, a second. */
  readonly done: number
}

/** One phase: what the sockets do, for this time. */
type Phase = (seconds: number) => Promise<number>

function phasesOf(product: Product, sockets: readonly WebSocket[]): Record<string, Phase> {
  const ask = async (n: number): Promise<boolean> => {
    const path = `/api/conversations/${idOf(1, otherOf(n))}/presence`
    const headers = { authorization: `Bearer ${tokenOf(n)}` }
    const reply = await fetch(`${product.url}${path}`, { headers })
    if (!(await reply.text()).includes('online')) throw new Error(`presence was refused: ${reply.status}`)
    return true
  }
  return {
    idle: async (seconds) => {
      await pause(seconds * 1000)
      return 0
    },
    typing: async (seconds) => {
      const before = received
      await evenly(PEOPLE / 2, TYPING_EVERY, seconds, (n) =>
        sockets[n * 2]?.send(JSON.stringify({ event: TYPING, channel: channelOf(n * 2), data: {} })),
      )
      await pause(200)
      return received - before
    },
    presence: async (seconds) => {
      const replies: Promise<boolean>[] = []
      await evenly(PEOPLE, PRESENCE_EVERY, seconds, (n) => void replies.push(ask(n)))
      return (await Promise.all(replies)).length
    },
  }
}

const median = (all: readonly number[]) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
const spread = (all: readonly number[], digits: number) =>
  [Math.min(...all), median(all), Math.max(...all)].map((it) => it.toFixed(digits).padStart(8)).join('')

async function measure(product: Product, phase: Phase, seconds: number): Promise<Measured> {
  const [cpu, began] = [product.ownCpu(), performance.now()]
  const done = await phase(seconds)
  if (refused.length > 0) throw new Error(`refused: ${refused.join()}`)
  const elapsed = (performance.now() - began) / 1000
  return { cpu: (product.ownCpu() - cpu) / elapsed, done: done / elapsed }
}

function report(rounds: readonly Record<string, Measured>[]): void {
  const all = (name: string, of: (it: Measured, idle: Measured) => number) =>
    rounds.flatMap((it) => (it[name] && it['idle'] ? [of(it[name], it['idle'])] : []))
  console.log('\n                                     minimum  median maximum')
  for (const name of ['idle', 'typing', 'presence']) {
    console.log(
      `${name.padEnd(9)} processor, ms a second   ${spread(
        all(name, (it) => it.cpu),
        1,
      )}`,
    )
    if (name === 'idle') continue
    console.log(
      `${''.padEnd(9)} done a second             ${spread(
        all(name, (it) => it.done),
        1,
      )}`,
    )
    console.log(
      `${''.padEnd(9)} ratio to idle             ${spread(
        all(name, (it, idle) => it.cpu / idle.cpu),
        2,
      )}`,
    )
    const each = all(name, (it, idle) => ((it.cpu - idle.cpu) / it.done) * 1000)
    console.log(`${''.padEnd(9)} processor for each, µs    ${spread(each, 0)}`)
  }
}

/** @param seconds of each measurement */
export async function benchConversations(seconds = DEFAULT_SECONDS): Promise<void> {
  const database = await openBenchPostgres()
  if (!database) throw new Error('PostgreSQL is not installed')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const { id, key, secret } = app
  const own = { REVERB_APP_ID: id, REVERB_APP_KEY: key, REVERB_APP_SECRET: secret }
  const product = await openProduct(data, { DATABASE_URL: database.url, ...own })
  try {
    await fill(database.url)
    const sockets = await openSockets(product)
    await product.quiet()
    console.log(`${PEOPLE} sockets in ${PEOPLE / 2} conversations, ${seconds} s for each measurement`)
    report(await measureAll(product, phasesOf(product, sockets), seconds))
    for (const it of sockets) it.removeAllListeners('close').terminate()
  } finally {
    await product.close()
    await database.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/** The phases one after the other, in each round. */
async function measureAll(product: Product, phases: Record<string, Phase>, seconds: number) {
  const rounds: Record<string, Measured>[] = []
  for (let n = 1; n <= ROUNDS; n++) {
    const round: Record<string, Measured> = {}
    for (const [name, phase] of Object.entries(phases)) {
      const it = await measure(product, phase, seconds)
      round[name] = it
      const figures = `${it.cpu.toFixed(1).padStart(8)} ms a second, ${it.done.toFixed(1)} done a second`
      console.log(`round ${n} ${name.padEnd(9)}${figures}`)
    }
    rounds.push(round)
  }
  return rounds
}
