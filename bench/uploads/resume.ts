// Measures a lost connection: bytes sent again, and time until the upload resumes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordingProxy } from '#bench/rig/recording-proxy.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { hasBytes, poll, submitFile, waitForBytes } from '#bench/rig/submitted-upload.ts'
import { ROUNDS, roundsSet, sizeSet } from '#bench/rounds/overrides.ts'
import { type Figures, type Measured, measureRounds } from '#bench/rounds/rounds.ts'
import { medianOf } from '#bench/rounds/statistics.ts'

const MB = 1_000_000
const DEFAULT_MB = 160
const BYTES_PER_SECOND = 4 * MB
/** Round trip: delay of every reply, ms. */
const ROUND_TRIP = 100
const CUTS = 5
/** Share of the file that is sent between two losses. */
const SHARE = 6 / DEFAULT_MB

interface Resumption {
  readonly ms: number
  /** Number of the upload's requests, up to the first that sent new bytes. */
  readonly requests: number
}

/** Measures from a moment to the first accepted request with bytes, at the server's offset. */
async function resumptionAfter(proxy: RecordingProxy, moment: number): Promise<Resumption> {
  const first = await poll(
    () => proxy.requests.find((it) => hasBytes(it) && it.at >= moment && it.status === 204),
    'bytes to be accepted',
  )
  const between = proxy.requests.filter((it) => it.at >= moment && it.at <= first.at && isUpload(it.path))
  return { ms: first.at - moment, requests: between.length }
}

const isUpload = (path: string): boolean => path.startsWith('/upload-chunking-2/')

/** Breaks the connection of one upload in three ways, then lets it finish. @param size of the file, bytes */
async function loseConnections(product: Product, folder: string, size: number): Promise<Figures> {
  await product.quiet()
  const before = product.cpu()
  const { browser, proxy } = await submitFile(product, folder, size, BYTES_PER_SECOND, ROUND_TRIP)
  const next = () => waitForBytes(proxy, size * SHARE)
  try {
    const cuts: Resumption[] = []
    for (let n = 0; n < CUTS; n++) {
      await next()
      cuts.push(await resumptionAfter(proxy, proxy.cut()))
    }
    await next()
    const stranded = await resumptionAfter(proxy, proxy.resetClient())
    await next()
    const silent = await resumptionAfter(proxy, proxy.stall())
    await poll(
      () => proxy.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/')),
      'the release',
    )
    return {
      'sent again per cut, MiB': (proxy.bodyBytes - size) / (CUTS + 2) / 1024 / 1024,
      'from a cut to the right offset, ms': medianOf(cuts.map((it) => it.ms)),
      'requests of that': medianOf(cuts.map((it) => it.requests)),
      'resume while the old request hangs, ms': stranded.ms,
      'a stall is detected after, s': silent.ms / 1000,
      'processor s of the server': (product.cpu() - before) / 1000,
    }
  } finally {
    await browser.close()
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures uploads whose connection is cut five times, reset on one side once, and once silent. */
export async function benchResume(): Promise<Measured[]> {
  const size = (sizeSet() ?? DEFAULT_MB) * MB
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  try {
    const result = await measureRounds({
      setting: `${size / MB} MB at ${BYTES_PER_SECOND / MB} MB/s and a round trip of ${ROUND_TRIP} ms`,
      rounds: roundsSet() ?? ROUNDS,
      methods: [{ name: 'Todoke', measure: () => loseConnections(product, join(folder, 'file'), size) }],
    })
    return [result]
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
