// Compares the upload queue with one raw PUT at 20 Mbit/s and 100 ms.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFile } from './rig/file.ts'
import { RecordingProxy } from './rig/recording-proxy.ts'
import { openProduct } from './rig/product.ts'
import { openSink } from './rig/sink.ts'
import { appQueue, rawPut } from './rig/upload-methods.ts'

const SIZE = 50 * 1024 * 1024
const BYTES_PER_SECOND = 2_500_000
/** Round trip, ms. */
const DELAY = 100
const ROUNDS = 2

async function slowProxyTo(url: string): Promise<RecordingProxy> {
  const proxy = await RecordingProxy.to(Number(new URL(url).port))
  proxy.slow(BYTES_PER_SECOND, DELAY)
  return proxy
}

/** Prints seconds from the start to the last byte on the disk, and how much longer the queue takes. */
export async function benchMobile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  makeFile(file, SIZE)
  const [data, raw] = [join(folder, 'data'), join(folder, 'raw')]
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink] = [await openProduct(data), await openSink(raw)]
  const [toProduct, toSink] = [await slowProxyTo(product.url), await slowProxyTo(sink.url)]
  const added: number[] = []
  try {
    for (let n = 1; n <= ROUNDS; n++) {
      const put = await rawPut({ ...sink, url: toSink.url }, file, 'time')
      await product.quiet()
      const queue = await appQueue({ ...product, url: toProduct.url }, file, 'press', 'time')
      added.push(queue.seconds / put.seconds - 1)
      console.log(
        `round ${n}  raw PUT ${put.seconds.toFixed(2)} s  Todoke, from the press ${queue.seconds.toFixed(2)} s`,
      )
    }
    const share = (Math.min(...added) * 100).toFixed(1)
    const most = (Math.max(...added) * 100).toFixed(1)
    console.log(`50 MiB at 20 Mbit/s, 100 ms: +${share} to +${most} %   (baseline 0 to 6 %, goal 3 %)`)
  } finally {
    for (const proxy of [toProduct, toSink]) await proxy.close()
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
