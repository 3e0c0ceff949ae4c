// Measures a lost connection: bytes sent again, and time until the upload resumes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordingProxy } from './rig/recording-proxy.ts'
import { openProduct } from './rig/product.ts'
import { poll, submitFile, waitForBytes } from './rig/submitted-upload.ts'

const MB = 1_000_000
const SIZE = 160 * MB
const BYTES_PER_SECOND = 4 * MB
/** Round trip: delay of every reply, ms. */
const ROUND_TRIP = 100
const CUTS = 5

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

interface Resumption {
  readonly ms: number
  /** Methods of the upload's requests, up to the first that sent new bytes. */
  readonly requests: readonly string[]
}

/** Measures from a moment to the first accepted PATCH, at the server's offset. */
async function resumptionAfter(proxy: RecordingProxy, moment: number): Promise<Resumption> {
  const patch = await poll(
    () => proxy.requests.find((it) => it.method === 'PATCH' && it.at >= moment && it.status === 204),
    'a PATCH to be accepted',
  )
  const between = proxy.requests.filter((it) => it.at >= moment && it.at <= patch.at && isUpload(it.path))
  return { ms: patch.at - moment, requests: between.map((it) => it.method) }
}

const isUpload = (path: string): boolean => path.startsWith('/upload-chunking-2/')

/** Breaks the connection of one upload in three ways, then lets it finish. */
export async function benchResume(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const { browser, proxy } = await submitFile(
    product,
    join(folder, 'file'),
    SIZE,
    BYTES_PER_SECOND,
    ROUND_TRIP,
  )
  try {
    const cuts: Resumption[] = []
    for (let n = 0; n < CUTS; n++) {
      await waitForBytes(proxy, 6 * MB)
      cuts.push(await resumptionAfter(proxy, proxy.cut()))
    }
    await waitForBytes(proxy, 6 * MB)
    const stranded = await resumptionAfter(proxy, proxy.resetClient())
    await waitForBytes(proxy, 6 * MB)
    const silent = await resumptionAfter(proxy, proxy.stall())
    await poll(
      () => proxy.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/')),
      'the release',
    )
    const resentPerCut = (proxy.bodyBytes - SIZE) / (CUTS + 2) / 1024 / 1024
    console.log(`${SIZE / MB} MB at ${BYTES_PER_SECOND / MB} MB/s, round trip ${ROUND_TRIP} ms                    baseline      goal
bytes sent again per cut (${CUTS} resets, 1 stranded, 1 silent)  ${resentPerCut.toFixed(2)} MiB   5.2 MiB   0.5 MiB
cut to the PATCH at the right offset       median ${median(cuts.map((it) => it.ms))} ms, ${median(cuts.map((it) => it.requests.length))} requests   PATCH, HEAD, PATCH   2 round trips
resume while the old PATCH hangs           ${stranded.ms} ms   3270 ms   500 ms
silent stall found                         ${(silent.ms / 1000).toFixed(1)} s   60 s   15 s

after each cut: ${cuts.map((it) => it.requests.join(' ')).join('; ')}`)
  } finally {
    await browser.close()
    await proxy.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
