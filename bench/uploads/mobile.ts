// Compares the upload queue with one raw PUT over two slow lines.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFile } from '#bench/rig/file.ts'
import { RecordingProxy } from '#bench/rig/recording-proxy.ts'
import { openProduct } from '#bench/rig/product.ts'
import { openSink } from '#bench/rig/sink.ts'
import { appQueue, type Measured, rawPut } from '#bench/rig/upload-methods.ts'
import { ROUNDS, roundsSet, sizeSet, UPLOAD_ROUNDS } from '#bench/rounds/overrides.ts'
import { type Figures, type Measured as Result, measureRounds } from '#bench/rounds/rounds.ts'

interface Line {
  /** Mbit/s. */
  readonly rate: number
  /** Delay of each reply, ms: the round trip. */
  readonly delay: number
  /** Of the file, MiB. */
  readonly size: number
  readonly rounds: number
}

/** The slower the line, the less the ratio varies, and the longer a round takes. */
const lines: readonly Line[] = [
  { rate: 20, delay: 100, size: 50, rounds: ROUNDS },
  { rate: 100, delay: 200, size: 50, rounds: UPLOAD_ROUNDS },
  // What creation and the last reply take counts less in a film.
  { rate: 100, delay: 200, size: 256, rounds: ROUNDS },
]

const figuresOf = ({ bytes, seconds, cpu }: Measured): Figures => ({
  seconds,
  'processor s for 100 MB': cpu / 1000 / (bytes / 1e8),
})

async function proxyTo(url: string): Promise<RecordingProxy> {
  return RecordingProxy.to(Number(new URL(url).port))
}

/**
 * Measures the seconds from the start to the last byte on the disk, compared with the raw PUT of the same round, and
 * processor time of browser, server and the proxy in between.
 */
export async function benchMobile(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const file = join(folder, 'video.mp4')
  const [data, raw] = [join(folder, 'data'), join(folder, 'raw')]
  for (const it of [data, raw]) mkdirSync(it)
  const [product, sink] = [await openProduct(data), await openSink(raw)]
  const [toProduct, toSink] = [await proxyTo(product.url), await proxyTo(sink.url)]
  const put = async (): Promise<Figures> =>
    figuresOf(await rawPut({ ...sink, url: toSink.url }, file, 'time'))
  const queue = async (): Promise<Figures> => {
    await product.quiet()
    // The receiver of the raw PUT is in this process too: both processor times include the proxy.
    const cpu = () => product.cpu() + sink.cpu()
    return figuresOf(await appQueue({ ...product, url: toProduct.url, cpu }, file, 'press', 'time'))
  }
  const results: Result[] = []
  try {
    for (const { rate, delay, rounds, ...line } of lines) {
      const size = sizeSet() ?? line.size
      makeFile(file, size * 1024 * 1024)
      for (const proxy of [toProduct, toSink]) proxy.slow((rate * 1e6) / 8, delay)
      const result = await measureRounds({
        setting: `${size} MiB at ${rate} Mbit/s and a round trip of ${delay} ms`,
        rounds: roundsSet() ?? rounds,
        compared: 'seconds',
        methods: [
          { name: 'raw PUT', measure: put },
          { name: 'Todoke, from the press', measure: queue },
        ],
      })
      results.push(result)
    }
    return results
  } finally {
    for (const proxy of [toProduct, toSink]) await proxy.close()
    sink.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
