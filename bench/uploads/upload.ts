// Compares uploads by the queue, by one raw PUT and by Uppy, in one run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HAND_OVER_BYTES } from '#contract/limits.ts'
import { makeFile } from '#bench/rig/file.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { openSink, type Sink } from '#bench/rig/sink.ts'
import { appQueue, bundleUppy, type Measured, rawPut, type Scale, uppy } from '#bench/rig/upload-methods.ts'
import { ROUNDS, roundsSet, sizeSet, UPLOAD_ROUNDS } from '#bench/rounds/overrides.ts'
import { type Measured as Result, measureRounds, type Method } from '#bench/rounds/rounds.ts'

const MiB = 1024 * 1024
const DEFAULT_MIB = 256
/** From this size on, MiB, seven rounds and one for memory would take too long. */
const LARGE = 512

interface Rig {
  readonly product: Product
  readonly sink: Sink
  /** The page of Uppy. */
  readonly script: string
  readonly file: string
}

/** @param size of the file, MiB */
function methodsOf({ product, sink, script, file }: Rig, size: number): Method[] {
  const isCarried = size * MiB >= HAND_OVER_BYTES
  const method = (name: string, send: (scale: Scale) => Promise<Measured>): Method => {
    const measure = async (): Promise<Record<string, number>> => {
      await product.quiet()
      const { bytes, seconds, cpu } = await send('time')
      return { 'MB/s': bytes / 1e6 / seconds, 'processor s for 100 MB': cpu / 1000 / (bytes / 1e8) }
    }
    const measureOnce = async (): Promise<Record<string, number>> => {
      await product.quiet()
      const { peak = Number.NaN } = await send('memory')
      return { 'peak memory above idle, MiB': peak / MiB }
    }
    return { name, measure, ...(size >= LARGE ? {} : { measureOnce }) }
  }
  return [
    method('raw PUT', (scale) => rawPut(sink, file, scale)),
    method('Uppy + tus', (scale) => uppy(product, script, file, scale)),
    method('Todoke, from the pick', (scale) => appQueue(product, file, 'pick', scale)),
    method('Todoke, from the press', (scale) => appQueue(product, file, 'press', scale)),
    ...(isCarried
      ? [method('Todoke, carried by the browser', (scale) => appQueue(product, file, 'carried', scale))]
      : []),
  ]
}

/**
 * Measures MB/s, compared with the raw PUT of the same round, processor time of browser and server together, and peak
 * memory. Time runs from the pick of the file, or from the press after it was copied to the device, to its last byte
 * on the server's disk. The raw PUT is received by a small server of this bench, all others by the product.
 * @param size size of the file, MiB
 */
export async function benchUpload(size = sizeSet() ?? DEFAULT_MIB): Promise<Result[]> {
  const large = size >= LARGE
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, size * MiB)
  const data = join(folder, 'data')
  const raw = join(folder, 'raw')
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink, script] = [await openProduct(data), await openSink(raw), await bundleUppy()]
  try {
    const result = await measureRounds({
      setting: `${size} MiB`,
      rounds: roundsSet() ?? (large ? ROUNDS : UPLOAD_ROUNDS),
      compared: 'MB/s',
      methods: methodsOf({ product, sink, script, file }, size),
    })
    return [result]
  } finally {
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
