// Measures the memory of open live connections: of the server's process and of the kernel.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { WebSocket } from 'ws'
import { personChannel, postChannel } from '#contract/realtime/channels.ts'
import { collecting, pssOf } from '#bench/rig/memory.ts'
import type { Product } from '#bench/rig/product.ts'
import type { CostRig } from './rig.ts'
import { closeSockets, openSockets } from './sockets.ts'

/** Connections of one step; each step is one sample. */
const STEP = 3000
const STEPS = 3
/** Connections that are closed again before the first step, so that the code is compiled. */
const WARM_UP = 1000
/** Posts whose channels are joined. */
const POSTS = 500

export interface ConnectionMemory {
  /** Growth of the server's proportional set size for each connection, after a collection, bytes. */
  readonly process: number
  /** The part of it that is heap and buffers, bytes. */
  readonly heap: number
  /** Growth of the kernel's memory for one end of each connection, bytes. */
  readonly kernel: number
}

const posts = Array.from({ length: POSTS }, () => randomUUID())

/** Listeners on the channel of a person and that of a post, as pages are. */
const listeners = (count: number, first: number) =>
  Array.from({ length: count }, (_, i) => ({
    n: first + i,
    channels: [personChannel(randomUUID()), postChannel(posts[i % POSTS] ?? '')],
  }))

const kilobytes = (file: string, pattern: RegExp) =>
  Number(pattern.exec(readFileSync(file, 'latin1'))?.[1] ?? 0) * 1024

/** The kernel's own objects, sockets among them, and the pages of socket buffers, bytes. */
const kernelMemory = (): number =>
  kilobytes('/proc/meminfo', /^Slab: +(\d+)/m) + kilobytes('/proc/net/sockstat', /^TCP:.* mem (\d+)/m) * 4

interface Reading {
  readonly heap: number
  readonly process: number
  readonly kernel: number
}

async function readingOf(server: Product): Promise<Reading> {
  await server.quiet()
  const heap = await server.memory()
  return { heap, process: pssOf(server.pid), kernel: kernelMemory() }
}

/** @returns one sample for each step of so many connections */
export async function measureConnections(rig: CostRig): Promise<ConnectionMemory[]> {
  const server = await rig.openServer(collecting)
  const sockets: WebSocket[] = []
  try {
    closeSockets(await openSockets(rig, server.url, listeners(WARM_UP, STEP * STEPS)))
    let before = await readingOf(server)
    const samples: ConnectionMemory[] = []
    for (let step = 0; step < STEPS; step++) {
      sockets.push(...(await openSockets(rig, server.url, listeners(STEP, STEP * step))))
      const now = await readingOf(server)
      samples.push({
        process: (now.process - before.process) / STEP,
        heap: (now.heap - before.heap) / STEP,
        // Both ends of a connection are on this machine.
        kernel: (now.kernel - before.kernel) / STEP / 2,
      })
      before = now
    }
    return samples
  } finally {
    closeSockets(sockets)
    await server.close()
  }
}
