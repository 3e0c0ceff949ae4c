// Compares stored files sent by nginx with those sent by Node, behind the same nginx.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './rig/load.ts'
import { type BenchNginx, openNginx } from './rig/servers/nginx.ts'
import { openProduct, type Product } from './rig/product.ts'
import { type BenchBuckets, openBuckets } from './rig/servers/buckets.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 100
const ROUNDS = 3
/** Bytes of the small file, which is a picture in a feed. */
const SMALL = 20_000
const CLIENTS = 16
/** Duration of the small requests of one round, ms. */
const SMALL_MS = 3000

/** Without the store of the environment. */
const onDisk = { S3_ENDPOINT: '', S3_REGION: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }

interface Way {
  readonly name: string
  readonly product: Product
  readonly nginx: BenchNginx
  /** Address of an open picture, whose files the benchmark replaces. */
  readonly picture: string
  /** Replaces its files. */
  readonly replace: (bytes: number) => Promise<void>
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

async function openWay(
  name: string,
  folder: string,
  env: Record<string, string>,
  buckets?: BenchBuckets,
): Promise<Way> {
  const [data, temporary] = [join(folder, 'data'), join(folder, 'nginx')]
  for (const it of [folder, data, temporary]) mkdirSync(it)
  const product = await openProduct(data, { ...env, ...buckets?.env })
  const nginx = await openNginx(temporary, data, product.url, buckets?.host).catch(async (error: unknown) => {
    await product.close()
    throw error
  })
  const headers = { authorization: `Bearer ${product.token}` }
  for (let tries = 0; tries < 120; tries++) {
    const feed = await (await fetch(`${product.url}/api/feed/latest`, { headers })).text()
    for (const [picture, id] of feed.matchAll(/\/api\/media\/([\da-f-]{36})\/w\d+(?![\d?])/g)) {
      const reply = await fetch(nginx.url + picture)
      await reply.arrayBuffer()
      const replace = async (bytes: number) =>
        buckets
          ? buckets.replace(`media/${id}/`, '.webp', bytes)
          : replaceFiles(join(data, 'media', id ?? ''), bytes)
      if (reply.ok) return { name, product, nginx, picture, replace }
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

async function measure({ product, nginx, picture, replace }: Way, size: number): Promise<Measured> {
  await replace(size * MiB)
  await receive(nginx.url + picture)
  const before = { node: product.ownCpu(), proxy: nginx.cpu(), at: performance.now() }
  const bytes = await receive(nginx.url + picture)
  const seconds = (performance.now() - before.at) / 1000
  if (bytes !== size * MiB) throw new Error(`received ${bytes} bytes`)
  const large = { node: product.ownCpu() - before.node, proxy: nginx.cpu() - before.proxy }
  await replace(SMALL)
  const figures = await load(nginx.url, CLIENTS, SMALL_MS, () => ({ path: picture }), product.ownCpu)
  return { rate: bytes / 1_000_000 / seconds, ...large, small: figures.rate, each: figures.cpu }
}

const spread = (all: readonly number[]): string => {
  const sorted = all.toSorted((a, b) => a - b).map((it) => it.toFixed(it < 10 ? 2 : 0))
  return `${sorted[0]}, ${sorted[sorted.length >> 1]}, ${sorted.at(-1)}`
}

/**
 * Prints rates and processor times of files, and of objects if `S3_ENDPOINT` and its key name a store: min, median and max of interleaved rounds.
 * @param size size of the large file, MiB
 */
export async function benchMedia(size = DEFAULT_MIB): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-media-'))
  const ways: Way[] = []
  try {
    ways.push(await openWay('sent by Node', join(folder, 'node'), onDisk))
    ways.push(await openWay('sent by nginx', join(folder, 'accel'), { ...onDisk, X_ACCEL_PREFIX: '/stored' }))
    if (process.env['S3_ENDPOINT']) {
      ways.push(await openWay('from the store by Node', join(folder, 's3'), {}, await openBuckets()))
      const byNginx = { X_ACCEL_PREFIX: '/stored', X_ACCEL_STORE: '1' }
      ways.push(
        await openWay('from the store by nginx', join(folder, 's3-accel'), byNginx, await openBuckets()),
      )
    }
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
