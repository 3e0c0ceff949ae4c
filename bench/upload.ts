// Compares uploads by the queue, by one raw PUT and by Uppy, in one run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFile } from './rig/file.ts'
import { openProduct } from './rig/product.ts'
import { openSink } from './rig/sink.ts'
import { appQueue, bundleUppy, type Measured, rawPut, type Scale, uppy } from './rig/upload-methods.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 256
/** From this size on, MiB, a run would take too long with a third round and one for memory. */
const LARGE = 512

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const cpu = (it: Measured): number => it.cpu / (it.bytes / 100_000_000)

const rate = (it: Measured): number => it.bytes / 1_000_000 / it.seconds

/**
 * Prints MB/s, the ratio to the raw PUT of the same round, processor time and peak memory; medians over the rounds.
 * @param size size of the file, MiB
 */
export async function benchUpload(size = DEFAULT_MIB): Promise<void> {
  const [first, last] = size < LARGE ? [0, 3] : [1, 2]
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, size * MiB)
  const data = join(folder, 'data')
  const raw = join(folder, 'raw')
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink, script] = [await openProduct(data), await openSink(raw), await bundleUppy()]
  const methods: [name: string, go: (scale: Scale) => Promise<Measured>][] = [
    ['raw PUT', (scale) => rawPut(sink, file, scale)],
    ['Uppy + tus', (scale) => uppy(product, script, file, scale)],
    ['Todoke', (scale) => appQueue(product, file, 'pick', scale)],
    ['Todoke, copied', (scale) => appQueue(product, file, 'press', scale)],
  ]
  const rounds: Measured[][] = []
  console.log(
    `${size} MiB, ${last} rounds${first === 0 ? ' after one for memory' : ''}, each way in a fresh browser\n`,
  )
  try {
    for (let n = first; n <= last; n++) {
      const round: Measured[] = []
      for (const [name, go] of methods) {
        await product.quiet()
        const it = await go(n === 0 ? 'memory' : 'time')
        round.push(it)
        const label = n === 0 ? 'memory ' : `round ${n}`
        console.log(
          `${label}  ${name.padEnd(14)}  ${rate(it).toFixed(0).padStart(4)} MB/s  ${cpu(it).toFixed(0)} ms CPU for 100 MB`,
        )
      }
      rounds.push(round)
    }
    print(
      methods.map(([name]) => name),
      first === 0 ? rounds : [[], ...rounds],
    )
  } finally {
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function print(names: readonly string[], [memoryRound, ...timeRounds]: readonly Measured[][]): void {
  console.log('\nmedian            MB/s   of raw PUT   CPU for 100 MB   peak memory above idle')
  names.forEach((name, index) => {
    const results = timeRounds.flatMap((round) => round[index] ?? [])
    const ratios = timeRounds.flatMap((round) => {
      const [raw, it] = [round[0], round[index]]
      return raw && it ? [rate(it) / rate(raw)] : []
    })
    const peak = memoryRound?.[index]?.peak
    console.log(
      [
        name.padEnd(16),
        median(results.map(rate)).toFixed(0).padStart(6),
        median(ratios).toFixed(2).padStart(13),
        `${median(results.map(cpu)).toFixed(0)} ms`.padStart(17),
        (peak === undefined ? '' : `${(peak / MiB).toFixed(0)} MiB`).padStart(25),
      ].join(''),
    )
  })
  console.log(`
Time runs from the pick of the file to its last byte on the server's disk; for "Todoke, copied" from the press of
the button, the file having been copied to the device before. Todoke also computes a SHA-256 of every chunk. The raw
PUT is received by a small server of this bench, all others by the product itself. Memory is
measured in a round of its own; processor time is that of browser and server together.`)
}
