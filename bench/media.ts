// Compares stored files sent by nginx with those sent by Node, behind the same nginx.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './rig/load.ts'
import { type BenchNginx, openNginx } from './rig/servers/nginx.ts'
import { openProduct, type Product } from './rig/product.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 100
const ROUNDS = 3
/** Bytes of the small file, which is a picture in a feed. */
const SMALL = 20_000
const CLIENTS = 16
/** Duration of the small requests of one round, ms. */
const SMALL_MS = 3000

interface Way {
  readonly name: string
  readonly product: Product
  readonly nginx: BenchNginx
  /** Address of an open picture, whose files the benchmark replaces. */
  readonly picture: string
  /** Folder of its files. */
  readonly folder: string
}

interface Measured {
  /** MB/s of the large file. */
  readonly rate: number
  /** Processor time of Node and of nginx for it, ms. */
  readonly node: number
  readonly proxy: number
  /** Replies per second with the small file, and processor time of Node for one, ms. */
  readonly small: number
  readonly each: number
}

async function openWay(name: string, folder: string, env: Record<string, string>): Promise<Way> {
  const [data, temporary] = [join(folder, 'data'), join(folder, 'nginx')]
  for (const it of [folder, data, temporary]) mkdirSync(it)
  const product = await openProduct(data, env)
  const nginx = await openNginx(temporary, data, product.url).catch(async (error: unknown) => {
    await product.close()
    throw error
  })
  const headers = { authorization: `Bearer ${product.token}` }
  for (let tries = 0; tries < 120; tries++) {
    const feed = await (await fetch(`${product.url}/api/feed/latest`, { headers })).text()
    for (const [picture, id] of feed.matchAll(/\/api\/media\/([\da-f-]{36})\/w\d+(?![\d?])/g)) {
      const reply = await fetch(nginx.url + picture)
      await reply.arrayBuffer()
      if (reply.ok) return { name, product, nginx, picture, folder: join(data, 'media', id ?? '') }
    }
    await new Promise((done) => setTimeout(done, 500))
  }
  throw new Error('the demo has no open picture')
}

function replaceFiles(folder: string, bytes: number): void {
  for (const name of readdirSync(folder))
    if (name.endsWith('.webp')) writeFileSync(join(folder, name), Buffer.alloc(bytes, 1))
}

async function receive(url: string): Promise<number> {
  const reader = (await fetch(url)).body?.getReader()
  let bytes = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    bytes += part.value.length
  return bytes
}

async function measure({ product, nginx, picture, folder }: Way, size: number): Promise<Measured> {
  replaceFiles(folder, size * MiB)
  await receive(nginx.url + picture)
  const before = { node: product.ownCpu(), proxy: nginx.cpu(), at: performance.now() }
  const bytes = await receive(nginx.url + picture)
  const seconds = (performance.now() - before.at) / 1000
  if (bytes !== size * MiB) throw new Error(`received ${bytes} bytes`)
  const large = { node: product.ownCpu() - before.node, proxy: nginx.cpu() - before.proxy }
  replaceFiles(folder, SMALL)
  const figures = await load(nginx.url, CLIENTS, SMALL_MS, () => ({ path: picture }), product.ownCpu)
  return { rate: bytes / 1_000_000 / seconds, ...large, small: figures.rate, each: figures.cpu }
}

const spread = (all: readonly number[]): string => {
  const sorted = all.toSorted((a, b) => a - b).map((it) => it.toFixed(it < 10 ? 2 : 0))
  return `${sorted[0]}, ${sorted[sorted.length >> 1]}, ${sorted.at(-1)}`
}

/**
 * Prints rates and processor times: min, median and max of interleaved rounds.
 * @param size size of the large file, MiB
 */
export async function benchMedia(size = DEFAULT_MIB): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-media-'))
  const ways: Way[] = []
  try {
    ways.push(await openWay('sent by Node', join(folder, 'node'), {}))
    ways.push(await openWay('sent by nginx', join(folder, 'accel'), { X_ACCEL_PREFIX: '/stored' }))
    for (const it of ways) await it.product.quiet().catch(() => console.log(`${it.name}: not idle`))
    const rounds = new Map<Way, Measured[]>(ways.map((it) => [it, []]))
    for (let round = 0; round < ROUNDS; round++)
      for (const way of ways) rounds.get(way)?.push(await measure(way, size))
    console.log(
      `${size} MiB and ${SMALL} bytes, behind nginx: min, median, max of ${ROUNDS} interleaved rounds`,
    )
    for (const [{ name }, all] of rounds) {
      const of = (key: keyof Measured) => spread(all.map((it) => it[key]))
      console.log(
        `  ${name}: ${of('rate')} MB/s; Node ${of('node')} ms, nginx ${of('proxy')} ms of processor; ` +
          `small ${of('small')} a second, Node ${of('each')} ms each`,
      )
    }
  } finally {
    for (const { nginx, product } of ways) {
      await nginx.close()
      await product.close()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
