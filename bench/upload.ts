// The upload figure: our queue beside one raw PUT and beside Uppy with tus; same file, same browser, same run.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFile } from './file.ts'
import { openProduct } from './product.ts'
import { openSink } from './sink.ts'
import { bundleUppy, type Measured, ourQueue, rawPut, uppy } from './ways.ts'

const MiB = 1024 * 1024
const SIZE = 256 * MiB
const ROUNDS = 3

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const rate = (it: Measured): number => SIZE / 1_000_000 / it.seconds

/** Prints MB/s, the ratio to the raw PUT of the same round, and the peak memory; medians over the rounds. */
export async function benchUpload(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, SIZE)
  const data = join(folder, 'data')
  const raw = join(folder, 'raw')
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink, script] = [await openProduct(data), await openSink(raw), await bundleUppy()]
  const ways: [name: string, go: () => Promise<Measured>][] = [
    ['raw PUT', () => rawPut(sink, file)],
    ['Uppy + tus', () => uppy(product, script, file)],
    ['Todoke', () => ourQueue(product, file, 'pick')],
    ['Todoke, copied', () => ourQueue(product, file, 'press')],
  ]
  const rounds: Measured[][] = []
  console.log(`${statSync(file).size / MiB} MiB, ${ROUNDS} rounds, each way in a fresh browser\n`)
  try {
    for (let n = 0; n < ROUNDS; n++) {
      const round: Measured[] = []
      for (const [name, go] of ways) {
        await product.quiet()
        const it = await go()
        round.push(it)
        console.log(`round ${n + 1}  ${name.padEnd(14)}  ${rate(it).toFixed(0).padStart(4)} MB/s`)
      }
      rounds.push(round)
    }
    print(
      ways.map(([name]) => name),
      rounds,
    )
  } finally {
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function print(names: readonly string[], rounds: readonly Measured[][]): void {
  console.log('\nmedian            MB/s   of raw PUT   peak memory above idle')
  names.forEach((name, way) => {
    const mine = rounds.flatMap((round) => round[way] ?? [])
    const ratios = rounds.flatMap((round) => {
      const [raw, it] = [round[0], round[way]]
      return raw && it ? [rate(it) / rate(raw)] : []
    })
    const peak = median(mine.map((it) => it.peak)) / MiB
    console.log(
      [
        name.padEnd(16),
        median(mine.map(rate)).toFixed(0).padStart(6),
        median(ratios).toFixed(2).padStart(12),
        `${peak.toFixed(0)} MiB`.padStart(25),
      ].join(''),
    )
  })
  console.log(`
Time runs from the pick of the file to its last byte on the server's disk; for "Todoke, copied" from the press of
the button, the file having been copied to the device before. Todoke also takes a SHA-256 of every chunk. The raw
PUT is taken by a small listener of this bench beside the product; all others by the product itself.`)
}
