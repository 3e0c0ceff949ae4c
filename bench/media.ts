// Compares stored files sent by nginx with those sent by Node, behind the same nginx.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './rig/load.ts'
import { type BenchNginx, openNginx } from './rig/servers/nginx.ts'
import { openProduct, type Product } from './rig/product.ts'
import { type BenchBuckets, openBuckets } from './rig/servers/buckets.ts'
import { ROUNDS, roundsSet, sizeSet } from './rounds/overrides.ts'
import { type Figures, type Measured, measureRounds } from './rounds/rounds.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 50
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

async function measure({ product, nginx, picture, replace }: Way, size: number): Promise<Figures> {
  await replace(size * MiB)
  await receive(nginx.url + picture)
  const before = { node: product.ownCpu(), proxy: nginx.cpu(), at: performance.now() }
  const bytes = await receive(nginx.url + picture)
  const seconds = (performance.now() - before.at) / 1000
  if (bytes !== size * MiB) throw new Error(`received ${bytes} bytes`)
  const [node, proxy] = [product.ownCpu() - before.node, nginx.cpu() - before.proxy]
  await replace(SMALL)
  const figures = await load(nginx.url, CLIENTS, SMALL_MS, () => ({ path: picture }), product.ownCpu)
  return {
    'MB/s': bytes / 1_000_000 / seconds,
    'processor ms of Node': node,
    'processor ms of nginx': proxy,
    [`requests/s of ${SMALL / 1000} kB`]: figures.rate,
    'processor ms of Node for each': figures.cpu,
  }
}

/**
 * Measures rates and processor times of files, and of objects if `S3_ENDPOINT` and its key name a store.
 * @param size size of the large file, MiB
 */
export async function benchMedia(size = sizeSet() ?? DEFAULT_MIB): Promise<Measured[]> {
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
    const store = process.env['S3_ENDPOINT'] ? ', from the disk and from a store' : ''
    const result = await measureRounds({
      setting: `${size} MiB and ${SMALL / 1000} kB behind nginx${store}`,
      rounds: roundsSet() ?? ROUNDS,
      compared: 'MB/s',
      methods: ways.map((way) => ({ name: way.name, measure: () => measure(way, size) })),
    })
    return [result]
  } finally {
    for (const { nginx, product } of ways) {
      await nginx.close()
      await product.close()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
