// Measures how soon a sent message is on the other device, with 1,000 sockets.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { newId } from '#contract/ids.ts'
import type { listMessageChanges } from '#contract/messages/messages.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { freePort } from '#server/testing/free-port.ts'
import { firstToken, idOf, PAIRS, secondToken } from './message-data.ts'
import { type Product } from './product.ts'

/** Messages of one round, and the time between two. */
const MESSAGES = 200
const EVERY_MS = 50
/** Sockets opened at the same time, below the limit of unauthorized ones. */
const AT_ONCE = 50
const GOAL_MS = 300

/** One of the two people of a pair. */
interface Side {
  readonly id: string
  readonly token: string
}

const sidesOf = (pair: number): readonly [Side, Side] => [
  { id: idOf('first', pair), token: firstToken(pair) },
  { id: idOf('second', pair), token: secondToken(pair) },
]

/** Callbacks of messages on their way, by id. */
const arriving = new Map<string, () => void>()

function arrive(id: string): void {
  arriving.get(id)?.()
  arriving.delete(id)
}

const headers = ({ token }: Side) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

/** What the app does with the event: it requests the changes, and shows the messages. */
async function readChanges(url: string, side: Side, data: string): Promise<void> {
  const { user_id: other, change } = JSON.parse(data) as { user_id: string; change: number }
  const reply = await fetch(`${url}/api/conversations/${other}/changes?after=${change - 1}`, {
    headers: headers(side),
  })
  const { messages } = (await reply.json()) as ReplyOf<typeof listMessageChanges>
  for (const it of messages) if (it.sender_id !== side.id) arrive(it.id)
}

/** A socket on the person's own channel. */
function joined({ url }: Product, key: string, side: Side): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${REALTIME_PATH}/app/${key}?protocol=7`)
  const channel = personChannel(side.id)
  return new Promise((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('message', (bytes: Buffer) => {
      const { event, data } = JSON.parse(bytes.toString()) as { event: string; data: string }
      if (event === 'pusher_internal:subscription_succeeded') resolve(socket)
      if (event === 'conversation.changed') void readChanges(url, side, data)
      if (event !== 'pusher:connection_established') return
      const { socket_id: id } = JSON.parse(data) as { socket_id: string }
      void subscribe(url, side, id, channel).then((grant) =>
        socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, ...grant } })),
      )
    })
  })
}

async function subscribe(url: string, side: Side, socketId: string, channel: string): Promise<object> {
  const reply = await fetch(`${url}/api/broadcasting/auth`, {
    method: 'POST',
    headers: headers(side),
    body: JSON.stringify({ socket_id: socketId, channel_name: channel }),
  })
  if (!reply.ok) throw new Error(`the channel was refused: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as object
}

async function bareSocket(port: number, n: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${n}`)
  socket.on('message', (bytes: Buffer) => arrive((JSON.parse(bytes.toString()) as { id: string }).id))
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}

async function inGroups(count: number, open: (n: number) => Promise<WebSocket>): Promise<WebSocket[]> {
  const all: WebSocket[] = []
  while (all.length < count) {
    const size = Math.min(AT_ONCE, count - all.length)
    all.push(...(await Promise.all(Array.from({ length: size }, (_, i) => open(all.length + i)))))
  }
  return all
}

interface Round {
  readonly p50: number
  readonly p95: number
}

/** Sends messages at a steady rate. @param send sends a message with this id to the nth pair */
async function roundOf(send: (id: string, n: number) => Promise<unknown>): Promise<Round> {
  const took: number[] = []
  const all: Promise<void>[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const id = newId()
    const began = performance.now()
    all.push(
      new Promise((resolve) => arriving.set(id, () => resolve(void took.push(performance.now() - began)))),
    )
    void send(id, n)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  await Promise.all(all)
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}

async function relay(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-relay.ts'), String(port)])
  const responds = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(() => true)
  while (!(await responds().catch(() => false))) await new Promise((done) => setTimeout(done, 50))
  return child
}

/** Prints how long messages take between two people of 500 pairs who are all connected, beside a bare relay. */
export async function measureArrival(product: Product, key: string, rounds: number): Promise<void> {
  const { url } = product
  const port = await freePort()
  const other = await relay(port)
  const count = PAIRS * 2
  const sockets = await inGroups(count, (n) =>
    joined(product, key, sidesOf(1 + (n >> 1))[n % 2 === 0 ? 0 : 1]),
  )
  sockets.push(...(await inGroups(count, (n) => bareSocket(port, n))))
  await product.quiet()
  const pairOf = (n: number) => sidesOf(1 + ((n * 37) % PAIRS))
  const byProduct = (id: string, n: number) => {
    const [from, to] = pairOf(n)
    const body = JSON.stringify({ id, content: `${n}番目の知らせ ${randomUUID()}` })
    return fetch(`${url}/api/conversations/${to.id}/messages`, {
      method: 'POST',
      headers: headers(from),
      body,
    })
  }
  const byRelay = (id: string, n: number) =>
    fetch(`http://127.0.0.1:${port}/${(n * 37) % count}`, { method: 'POST', body: JSON.stringify({ id, n }) })
  console.log(`\nsent → on the other device, ${count} open sockets, ${1000 / EVERY_MS} messages a second`)
  let worst = 0
  for (let round = 1; round <= rounds; round++) {
    const bare = await roundOf(byRelay)
    const ours = await roundOf(byProduct)
    worst = Math.max(worst, ours.p95)
    const line = (it: Round) => `p50 ${it.p50.toFixed(1)} ms, p95 ${it.p95.toFixed(1)} ms`
    console.log(
      `round ${round}: ${line(ours)}; bare relay ${line(bare)}; ratio of p50 ${(ours.p50 / bare.p50).toFixed(1)}`,
    )
  }
  console.log(`${worst <= GOAL_MS ? 'met' : 'MISSED'} p95 ≤ ${GOAL_MS} ms`)
  for (const it of sockets) it.removeAllListeners('close').terminate()
  other.kill()
}
