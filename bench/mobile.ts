// Compares the queue with one raw PUT on a connection of 20 Mbit/s and 100 ms.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFile } from './rig/file.ts'
import { NetworkLine } from './rig/line.ts'
import { openProduct } from './rig/product.ts'
import { openSink } from './rig/sink.ts'
import { ourQueue, rawPut } from './rig/ways.ts'

const SIZE = 50 * 1024 * 1024
const BYTES_PER_SECOND = 2_500_000
/** Round trip, ms. */
const DELAY = 100
const ROUNDS = 2

async function lineTo(url: string): Promise<NetworkLine> {
  const line = await NetworkLine.to(Number(new URL(url).port))
  line.slow(BYTES_PER_SECOND, DELAY)
  return line
}

/** Prints seconds from the beginning to the last byte on the disk, and what the queue adds. */
export async function benchMobile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, SIZE)
  const [data, raw] = [join(folder, 'data'), join(folder, 'raw')]
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink] = [await openProduct(data), await openSink(raw)]
  const [toProduct, toSink] = [await lineTo(product.url), await lineTo(sink.url)]
  const added: number[] = []
  try {
    for (let n = 1; n <= ROUNDS; n++) {
      const plain = await rawPut({ ...sink, url: toSink.url }, file, 'time')
      await product.quiet()
      const ours = await ourQueue({ ...product, url: toProduct.url }, file, 'press', 'time')
      added.push(ours.seconds / plain.seconds - 1)
      console.log(
        `round ${n}  raw PUT ${plain.seconds.toFixed(2)} s  Todoke, from the press ${ours.seconds.toFixed(2)} s`,
      )
    }
    const share = (Math.min(...added) * 100).toFixed(1)
    const most = (Math.max(...added) * 100).toFixed(1)
    console.log(`50 MiB at 20 Mbit/s, 100 ms: +${share} to +${most} %   (baseline 0 to 6 %, goal 3 %)`)
  } finally {
    for (const line of [toProduct, toSink]) await line.close()
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
