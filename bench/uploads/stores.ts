// Compares uploads to the disk and to an object store, in one run.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { TUS_CHUNK } from '#contract/limits.ts'
import { freePort } from '#server/testing/free-port.ts'
import { makeFile } from '#bench/rig/file.ts'
import { cpuOf, peakDuring } from '#bench/rig/memory.ts'
import { openProduct } from '#bench/rig/product.ts'
import { newBucket } from '#bench/rig/servers/buckets.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 256
const ROUNDS = 3

interface Way {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  cpu(): number
  peakDuring<T>(work: () => Promise<T>): Promise<{ result: T; peak: number }>
  close(): Promise<void>
}

interface Measured {
  /** MB/s. */
  readonly rate: number
  /** Processor time of the server for 100 MB, ms. */
  readonly cpu: number
}

/**
 * Prints MB/s and processor time of each round, the ratio to the disk in the same round, and peaks of memory in a round of their own.
 * The store is that of `S3_ENDPOINT`, `S3_REGION`, `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`.
 * @param size size of the file, MiB
 */
export async function benchUploadStores(size = DEFAULT_MIB): Promise<void> {
  if (!process.env['S3_ENDPOINT']) throw new Error('S3_ENDPOINT and the key of an object store are missing')
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, size * MiB)
  const ways = [await onDisk(folder), await onStore(folder), await onTusStore()]
  console.log(`${size} MiB by tus-js-client in requests of 5 MiB, ${ROUNDS} rounds after one for memory\n`)
  try {
    const peaks: number[] = []
    for (const it of ways) peaks.push((await it.peakDuring(() => send(it, file))).peak)
    const rounds: Measured[][] = []
    for (let n = 1; n <= ROUNDS; n++) {
      const round: Measured[] = []
      for (const way of ways) {
        const [cpu, began] = [way.cpu(), performance.now()]
        await send(way, file)
        const seconds = (performance.now() - began) / 1000
        round.push({
          rate: (size * MiB) / 1e6 / seconds,
          cpu: (way.cpu() - cpu) / ((size * MiB) / 1e8),
        })
      }
      rounds.push(round)
      console.log(`round ${n}  ${round.map((it, i) => line(ways[i]?.name ?? '', it, round[0])).join('   ')}`)
    }
    print(ways, rounds, peaks)
  } finally {
    for (const it of ways) await it.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const line = (name: string, it: Measured, disk: Measured | undefined): string =>
  `${name} ${it.rate.toFixed(0)} MB/s (${(it.rate / (disk?.rate ?? it.rate)).toFixed(2)})`

function print(ways: readonly Way[], rounds: readonly Measured[][], peaks: readonly number[]): void {
  console.log(
    '\n                    MB/s min median max   of the disk min median max   CPU for 100 MB   peak memory above idle',
  )
  ways.forEach(({ name }, i) => {
    const results = rounds.flatMap((round) => round[i] ?? [])
    const ratios = rounds.map((round) => (round[i]?.rate ?? 0) / (round[0]?.rate ?? 1))
    console.log(
      [
        name.padEnd(20),
        spread(
          results.map((it) => it.rate),
          0,
        ).padStart(19),
        spread(ratios, 2).padStart(27),
        `${median(results.map((it) => it.cpu)).toFixed(0)} ms`.padStart(17),
        `${((peaks[i] ?? 0) / MiB).toFixed(0)} MiB`.padStart(25),
      ].join(''),
    )
  })
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const spread = (values: readonly number[], digits: number): string =>
  [Math.min(...values), median(values), Math.max(...values)].map((it) => it.toFixed(digits)).join('  ')

function send({ url, headers }: Way, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(createReadStream(file), {
      endpoint: `${url}/upload-chunking-2`,
      chunkSize: TUS_CHUNK,
      uploadSize: statSync(file).size,
      retryDelays: null,
      headers,
      metadata: { filename: 'video.mp4' },
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
}

async function onDisk(folder: string): Promise<Way> {
  const none = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map((it) => [it, ''])
  return productWay('Todoke, disk', join(folder, 'disk'), Object.fromEntries(none) as Record<string, string>)
}

async function onStore(folder: string): Promise<Way> {
  const [bucket, identity] = [await newBucket(), await newBucket()]
  return productWay('Todoke, S3', join(folder, 's3'), { S3_BUCKET: bucket, S3_IDENTITY_BUCKET: identity })
}

async function productWay(name: string, data: string, env: Record<string, string>): Promise<Way> {
  mkdirSync(data)
  const product = await openProduct(data, env)
  await product.quiet()
  return {
    name,
    url: product.url,
    headers: { authorization: `Bearer ${product.token}` },
    cpu: () => product.ownCpu(),
    peakDuring: (work) => product.peakDuring(work),
    close: () => product.close(),
  }
}

async function onTusStore(): Promise<Way> {
  const port = await freePort()
  const program = join(import.meta.dirname, '../rig/servers/tus-s3.ts')
  const env = { ...process.env, PORT: String(port), S3_BUCKET: await newBucket() }
  const child = spawn(process.execPath, [program], { stdio: 'ignore', env })
  const url = `http://127.0.0.1:${port}`
  await answers(url, child)
  return {
    name: '@tus/s3-store',
    url,
    headers: {},
    cpu: () => cpuOf(child.pid ?? 0),
    peakDuring: (work) => peakDuring(child.pid ?? 0, work),
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the server of @tus/s3-store did not start')
}
