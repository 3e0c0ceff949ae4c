// Compares a topic for each channel with one topic, on a server without subscribers.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import Pusher from 'pusher'
import { WebSocket } from 'ws'
import { postChannel } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import { ownCpuOf } from '#bench/rig/memory.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { freePort } from '#server/testing/free-port.ts'
import { grantOf } from './grant.ts'

const ROUNDS = 5
const MESSAGES = 30_000
/** Messages of one call of the HTTP API. */
const BATCH = 10
/** Calls at the same time. */
const CALLS = 4
const SUBSCRIPTIONS = 20_000
const ONE_TOPIC = 'bench:one-topic'
const EVENT = 'likes.changed'
const app = { id: 'bench', key: 'bench', secret: randomUUID() }

interface Round {
  /** Processor time for one message, µs: with one topic, with topics by channel, and of the same server without messages. */
  readonly one: number
  readonly topics: number
  readonly idle: number
}

async function startRedis(folder: string): Promise<{ port: number; close(): void }> {
  const port = await freePort()
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn('redis-server', settings, { stdio: 'ignore' })
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
  probe.on('error', () => undefined)
  await probe.ping()
  probe.disconnect()
  return { port, close: () => void child.kill('SIGKILL') }
}

/** Connections with one channel each; each counts what it receives. */
async function listen(url: string, channels: readonly string[], received: () => void): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (const [n, channel] of channels.entries()) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${REALTIME_PATH}/app/${app.key}?protocol=7`)
    await new Promise<void>((resolve, reject) => {
      socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
      socket.on('message', (bytes: Buffer) => {
        const { event, data } = JSON.parse(bytes.toString()) as { event: string; data: string }
        if (event === EVENT) received()
        if (event === 'pusher_internal:subscription_succeeded') resolve()
        if (event !== 'pusher:connection_established') return
        const { socket_id: socketId } = JSON.parse(data) as { socket_id: string }
        socket.send(
          JSON.stringify({ event: 'pusher:subscribe', data: grantOf(app, { socketId, channel, n }) }),
        )
      })
    })
    sockets.push(socket)
  }
  return sockets
}

const payloadOf = (channel: string) => ({ post_id: channel.slice(-36), likes: 1 })

/** Publishes on a server, by its HTTP API, until all messages are sent. */
async function publishBy({ url }: Product, channels: readonly string[]): Promise<void> {
  const { hostname: host, port } = new URL(url)
  const { id: appId, key, secret } = app
  const pusher = new Pusher({ appId, key, secret, host, port, useTLS: false })
  const batches = Array.from({ length: MESSAGES / BATCH }, (_, i) =>
    Array.from({ length: BATCH }, (__, j) => {
      const channel = channels[(i * BATCH + j) % channels.length] ?? ''
      return { channel, name: EVENT, data: payloadOf(channel) }
    }),
  )
  const send = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await pusher.triggerBatch(batch)
  }
  await Promise.all(Array.from({ length: CALLS }, send))
}

/** The same messages on one topic, in the form that one topic needs. */
async function publishOn(redis: Redis, channels: readonly string[]): Promise<void> {
  const from = randomUUID()
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, i) => {
      const channel = channels[(sent + i) % channels.length] ?? ''
      const text = JSON.stringify({ event: EVENT, channel, data: JSON.stringify(payloadOf(channel)) })
      return redis.publish(ONE_TOPIC, `${from} ${JSON.stringify({ channel, text })}`)
    })
    await Promise.all(calls)
  }
}

const askCount = async (child: ChildProcess): Promise<number> => {
  child.send('count')
  const [count] = (await once(child, 'message')) as [number]
  return count
}

const spread = (all: readonly number[], digits = 2) => {
  const sorted = all.toSorted((a, b) => a - b)
  return [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((it) => it?.toFixed(digits)).join(', ')
}

interface Rig {
  readonly redis: Redis
  readonly baseline: ChildProcess
  /** The server with the subscribers, on which messages are published, and one without them. */
  readonly near: Product
  readonly far: Product
  readonly channels: readonly string[]
  /** How many messages the clients have received. */
  readonly received: () => number
}

async function measure({ redis, baseline, near, far, channels, received }: Rig): Promise<Round> {
  const perMessage = (ms: number) => (ms * 1000) / MESSAGES
  const cpu = () => ownCpuOf(baseline.pid ?? 0)
  const [counted, before] = [await askCount(baseline), cpu()]
  await publishOn(redis, channels)
  while ((await askCount(baseline)) < counted + MESSAGES) await sleep(20)
  const one = cpu() - before

  const [arrived, farBefore, began] = [received(), far.ownCpu(), performance.now()]
  await publishBy(near, channels)
  while (received() < arrived + MESSAGES) await sleep(20)
  const lasted = performance.now() - began
  const topics = far.ownCpu() - farBefore

  const idleBefore = far.ownCpu()
  await sleep(lasted)
  return { one: perMessage(one), topics: perMessage(topics), idle: perMessage(far.ownCpu() - idleBefore) }
}

/** What subscriptions cost Redis, and how long a server takes to renew them after a reconnect. */
async function measureSubscriptions(port: number): Promise<void> {
  const [redis, subscriber] = [new Redis(port, '127.0.0.1'), new Redis(port, '127.0.0.1')]
  const used = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1])
  const before = await used()
  const began = performance.now()
  for (let n = 0; n < SUBSCRIPTIONS; n += 500)
    await Promise.all(
      Array.from({ length: 500 }, () => subscriber.ssubscribe(`todoke:live:${postChannel(randomUUID())}`)),
    )
  const ms = performance.now() - began
  const bytes = ((await used()) - before) / SUBSCRIPTIONS
  console.log(
    `  ${SUBSCRIPTIONS} subscriptions: ${ms.toFixed(0)} ms, ${bytes.toFixed(0)} bytes of Redis each`,
  )
  for (const it of [redis, subscriber]) it.disconnect()
}

/** @param count channels, each with one subscriber */
export async function benchTopics(count = 200): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const server = await startRedis(folder)
  const env = {
    REDIS_URL: `redis://127.0.0.1:${server.port}`,
    REVERB_APP_ID: app.id,
    REVERB_APP_KEY: app.key,
    REVERB_APP_SECRET: app.secret,
  }
  const near = await openProduct(join(folder, 'near'), env)
  const far = await openProduct(join(folder, 'far'), env)
  const baseline = fork(join(import.meta.dirname, 'one-topic.ts'), [String(server.port), ONE_TOPIC])
  await once(baseline, 'message')
  const redis = new Redis(server.port, '127.0.0.1')
  const channels = Array.from({ length: count }, () => postChannel(randomUUID()))
  let received = 0
  const sockets = await listen(near.url, channels, () => (received += 1))
  for (const it of [near, far]) await it.quiet()
  const rig = { redis, baseline, near, far, channels, received: () => received }
  const rounds: Round[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await measure(rig))
  console.log(
    `live: ${MESSAGES} messages on ${count} channels with subscribers on another server, ${ROUNDS} rounds in turns`,
  )
  console.log('  processor time for one message of a server without subscribers, µs: min, median, max')
  for (const way of ['one', 'topics', 'idle'] as const)
    console.log(`  ${way.padEnd(8)} ${spread(rounds.map((it) => it[way]))}`)
  // A clock tick of the kernel is 10 ms: the time above idling may be less than one.
  const ratios = rounds.map(({ one, topics, idle }) => one / Math.max(topics - idle, 10_000 / MESSAGES))
  console.log(`  one topic to topics by channel without idling, at least: ${spread(ratios, 1)}`)
  await measureSubscriptions(server.port)
  for (const it of sockets) it.removeAllListeners('close').terminate()
  redis.disconnect()
  baseline.kill()
  for (const it of [near, far]) await it.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
