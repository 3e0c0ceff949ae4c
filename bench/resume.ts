// Measures the cost of a lost connection: bytes sent again, and time until the upload resumes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NetworkLine } from './rig/line.ts'
import { openProduct } from './rig/product.ts'
import { more, submitFile, until } from './rig/sent.ts'

const MB = 1_000_000
const SIZE = 160 * MB
const BYTES_PER_SECOND = 4 * MB
/** Round trip: delay of every reply, ms. */
const ROUND_TRIP = 100
const CUTS = 5

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

interface GoesOn {
  readonly ms: number
  /** Methods of the upload's requests, up to the first that sent new bytes. */
  readonly requests: readonly string[]
}

/** From a moment to the first accepted PATCH, at the server's offset. */
async function goesOn(line: NetworkLine, moment: number): Promise<GoesOn> {
  const patch = await until(
    () => line.requests.find((it) => it.method === 'PATCH' && it.at >= moment && it.status === 204),
    'a PATCH to be taken',
  )
  const between = line.requests.filter((it) => it.at >= moment && it.at <= patch.at && isUpload(it.path))
  return { ms: patch.at - moment, requests: between.map((it) => it.method) }
}

const isUpload = (path: string): boolean => path.startsWith('/upload-chunking-2/')

/** Breaks the connection of one upload in three ways, then lets it finish. */
export async function benchResume(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const { browser, line } = await submitFile(
    product,
    join(folder, 'file'),
    SIZE,
    BYTES_PER_SECOND,
    ROUND_TRIP,
  )
  try {
    const cuts: GoesOn[] = []
    for (let n = 0; n < CUTS; n++) {
      await more(line, 6 * MB)
      cuts.push(await goesOn(line, line.cut()))
    }
    await more(line, 6 * MB)
    const stranded = await goesOn(line, line.strand())
    await more(line, 6 * MB)
    const silent = await goesOn(line, line.silence())
    await until(
      () => line.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/')),
      'the release',
    )
    const again = (line.bodyBytes - SIZE) / (CUTS + 2) / 1024 / 1024
    console.log(`${SIZE / MB} MB at ${BYTES_PER_SECOND / MB} MB/s, round trip ${ROUND_TRIP} ms                    baseline      goal
bytes sent again per cut (${CUTS} resets, 1 stranded, 1 silent)  ${again.toFixed(2)} MiB   5.2 MiB   0.5 MiB
cut to the PATCH at the right offset       median ${median(cuts.map((it) => it.ms))} ms, ${median(cuts.map((it) => it.requests.length))} requests   PATCH, HEAD, PATCH   2 round trips
resume while the old PATCH hangs           ${stranded.ms} ms   3270 ms   500 ms
silent stall found                         ${(silent.ms / 1000).toFixed(1)} s   60 s   15 s

after each cut: ${cuts.map((it) => it.requests.join(' ')).join('; ')}`)
  } finally {
    await browser.close()
    await line.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
