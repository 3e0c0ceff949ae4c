// Compares live messages to many listeners with a bare `ws` server that broadcasts.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Pusher from 'pusher'
import { WebSocket } from 'ws'
import { postChannel } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import { freePort } from '#server/testing/free-port.ts'
import { grantOf } from './realtime/grant.ts'
import { collecting, cpuOf, memoryOf } from './rig/memory.ts'
import { openProduct } from './rig/product.ts'

const MESSAGES = 20
const ROUNDS = 5
/** Connections opened at the same time, below the limit of unauthorized ones. */
const AT_ONCE = 50
const app = { id: 'bench', key: 'bench', secret: randomUUID() }
const channel = postChannel(randomUUID())
const payload = { post_id: channel.slice(-36), likes: 1 }

/** Number of frames that all listeners together have not received yet, and the callback for the last. */
let left = 0
let onAllReceived = () => {}

function countReceived(): void {
  left -= 1
  if (left === 0) onAllReceived()
}

function joined(socket: WebSocket, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('message', (bytes: Buffer) => {
      const { event, data } = JSON.parse(bytes.toString()) as { event: string; data: string }
      if (event === 'likes.changed') countReceived()
      if (event === 'pusher_internal:subscription_succeeded') resolve()
      if (event !== 'pusher:connection_established') return
      const { socket_id: id } = JSON.parse(data) as { socket_id: string }
      socket.send(
        JSON.stringify({ event: 'pusher:subscribe', data: grantOf(app, { socketId: id, channel, n }) }),
      )
    })
  })
}

function opened(socket: WebSocket): Promise<void> {
  socket.on('message', (bytes: Buffer) => {
    if ((JSON.parse(bytes.toString()) as { event: string }).event === 'likes.changed') countReceived()
  })
  return new Promise((resolve) => socket.once('open', () => resolve()))
}

async function listen(
  count: number,
  url: string,
  ready: (socket: WebSocket, n: number) => Promise<void>,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => new WebSocket(url))
    await Promise.all(some.map((it, i) => ready(it, sockets.length + i)))
    sockets.push(...some)
  }
  return sockets
}

/** From the first message sent until the last listener has received the last one, ms. */
async function burst(sendMessage: () => Promise<unknown>, count: number): Promise<number> {
  left = count * MESSAGES
  const last = new Promise<void>((resolve) => (onAllReceived = resolve))
  const began = performance.now()
  await Promise.all(Array.from({ length: MESSAGES }, sendMessage))
  await last
  return performance.now() - began
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

async function bare(port: number): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'rig/bare-sockets.ts')
  const child = spawn(process.execPath, [program, String(port)], { env: { ...process.env, ...collecting } })
  const responds = () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).then(() => true)
  while (!(await responds().catch(() => false))) await new Promise((done) => setTimeout(done, 50))
  return child
}

/** @param count listeners */
export async function benchRealtime(count = 1000): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const { id: appId, key, secret } = app
  // The memory of a server that made the demo is mostly what the demo left.
  await (await openProduct(data)).close()
  const product = await openProduct(data, {
    REVERB_APP_ID: appId,
    REVERB_APP_KEY: key,
    REVERB_APP_SECRET: secret,
    ...collecting,
  })
  const port = await freePort()
  const other = await bare(port)
  const { hostname: host, port: productPort } = new URL(product.url)
  const pusher = new Pusher({ appId, key, secret, host, port: productPort, useTLS: false })
  const frame = JSON.stringify({ event: 'likes.changed', channel, data: JSON.stringify(payload) })
  const senders = {
    product: () => pusher.trigger(channel, 'likes.changed', payload),
    bare: () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: frame }),
  }
  await product.quiet()
  const idle = { product: await product.memory(), bare: await memoryOf(other.pid ?? 0) }
  const sockets = [
    ...(await listen(count, `ws://${host}:${productPort}${REALTIME_PATH}/app/${key}?protocol=7`, joined)),
    ...(await listen(count, `ws://127.0.0.1:${port}`, opened)),
  ]
  await product.quiet()
  const memory = {
    product: (await product.memory()) - idle.product,
    bare: (await memoryOf(other.pid ?? 0)) - idle.bare,
  }
  const times: { product: number[]; bare: number[] } = { product: [], bare: [] }
  const cpu = { product: 0, bare: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const before = { product: product.cpu(), bare: cpuOf(other.pid ?? 0) }
    times.bare.push(await burst(senders.bare, count))
    times.product.push(await burst(senders.product, count))
    cpu.product += product.cpu() - before.product
    cpu.bare += cpuOf(other.pid ?? 0) - before.bare
  }
  print(count, { times, cpu, memory })
  for (const it of sockets) it.removeAllListeners('close').terminate()
  other.kill()
  await product.close()
  rmSync(data, { recursive: true, force: true })
}

interface Pair<T> {
  readonly product: T
  readonly bare: T
}

function print(
  count: number,
  { times, cpu, memory }: { times: Pair<number[]>; cpu: Pair<number>; memory: Pair<number> },
): void {
  const each = (ms: number) => `${((ms / ROUNDS / MESSAGES / count) * 1000).toFixed(1)} µs`
  const spread = (all: readonly number[], digits: number) =>
    [Math.min(...all), median([...all]), Math.max(...all)].map((it) => it.toFixed(digits)).join(', ')
  console.log(
    `live: ${MESSAGES} messages to ${count} listeners, ${ROUNDS} rounds in turns; ms from the first sent to the last received, min, median, max`,
  )
  for (const way of ['product', 'bare'] as const)
    console.log(
      `  ${way === 'product' ? 'ours' : 'bare'}  ${spread(times[way], 0).padStart(20)}   processor for a received message ${each(cpu[way])}   heap of a connection ${(memory[way] / count / 1000).toFixed(1)} kB`,
    )
  const ratios = times.product.map((ms, i) => ms / (times.bare[i] ?? ms))
  console.log(
    `  ratio of each round  ${ratios.map((it) => it.toFixed(2)).join('  ')}   (${spread(ratios, 2)})`,
  )
}
