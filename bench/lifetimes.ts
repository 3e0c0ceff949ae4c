// Measures how long the service worker sends with a hidden page, and without a page.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedRequest, RecordingProxy } from './rig/recording-proxy.ts'
import { openProduct, type Product } from './rig/product.ts'
import { submitFile } from './rig/submitted-upload.ts'

const BYTES_PER_SECOND = 400_000
/** Longer than one event may keep a worker alive (300 s). */
const HIDDEN_BYTES = 430 * BYTES_PER_SECOND
const CLOSED_BYTES = 600 * BYTES_PER_SECOND
/** The first sync event is cut at 190 s at most, the next comes 300 s later. */
const CLOSED_WATCH_MS = 560_000
const GIVE_UP_MS = 700_000
/** An interval without a sent byte in which the worker was not running, ms. */
const PAUSE_MS = 20_000

const releaseOf = (proxy: RecordingProxy): RecordedRequest | undefined =>
  proxy.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/'))

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`

/** The intervals between arrivals of bytes that are longer than a pause. */
function pauses(moments: readonly number[]): { from: number; ms: number }[] {
  return moments.flatMap((at, n) => {
    const ms = at - (moments[n - 1] ?? at)
    return ms > PAUSE_MS ? [{ from: at - ms, ms }] : []
  })
}

/** Records each second in which bytes arrived, until the upload ends. */
async function watch(proxy: RecordingProxy, isOver: () => boolean): Promise<number[]> {
  const moments = [Date.now()]
  for (let before = proxy.bodyBytes; !isOver();) {
    await sleep(1000)
    if (proxy.bodyBytes > before) moments.push(Date.now())
    before = proxy.bodyBytes
  }
  return moments
}

async function hiddenPage(product: Product, folder: string): Promise<string[]> {
  const { browser, proxy } = await submitFile(product, folder, HIDDEN_BYTES, BYTES_PER_SECOND)
  try {
    const other = await browser.page.context().newPage()
    await other.bringToFront()
    // An attached debugger makes every page visible: the page reports its visibility once it is detached.
    await browser.page.evaluate(() => {
      setTimeout(() => void fetch(`/api/health?page=${document.visibilityState}`), 5000)
    })
    await browser.detach()
    const began = Date.now()
    const moments = await watch(proxy, () => Boolean(releaseOf(proxy)) || Date.now() - began > GIVE_UP_MS)
    const end = releaseOf(proxy)
    const found = pauses(moments)
    const visibility = proxy.requests
      .find((it) => it.path.startsWith('/api/health?page='))
      ?.path.split('=')[1]
    return [
      `page in the background (it says: ${visibility ?? 'nothing'}), ${HIDDEN_BYTES / 1_000_000} MB at ${BYTES_PER_SECOND / 1000} kB/s`,
      `  ${end ? `released after ${seconds(end.at - began)}` : `not released within ${seconds(GIVE_UP_MS)}`}`,
      `  pauses over ${seconds(PAUSE_MS)}: ${found.length}   offsets asked for: ${proxy.requests.filter((it) => it.method === 'HEAD').length}`,
      '  baseline: a worker held by one message or one fetch is cut at 300 s',
    ]
  } finally {
    await browser.close()
    await proxy.close()
  }
}

async function closedTab(product: Product, folder: string): Promise<string[]> {
  const { browser, proxy } = await submitFile(product, folder, CLOSED_BYTES, BYTES_PER_SECOND)
  try {
    await browser.page.context().newPage()
    await browser.page.close()
    const closed = Date.now()
    await browser.detach()
    const moments = await watch(proxy, () => Date.now() - closed > CLOSED_WATCH_MS)
    const found = pauses(moments)
    const [first] = found
    return [
      'tab closed, the browser stays open',
      first
        ? `  went on for ${seconds(first.from - closed)}`
        : `  went on for ${seconds((moments.at(-1) ?? closed) - closed)}`,
      first
        ? `  went on again by itself ${seconds(first.ms)} later`
        : `  no pause over ${seconds(PAUSE_MS)} followed by more within ${seconds(CLOSED_WATCH_MS)}`,
      '  baseline: nothing holds it 28 s; a sync event 180 to 190 s, again 300 s later',
    ]
  } finally {
    await browser.close()
    await proxy.close()
  }
}

/** Measures both at once, each in its own browser, for about ten minutes. */
export async function benchLifetimes(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  try {
    const print = (lines: readonly string[]): void => console.log(lines.join('\n'))
    await Promise.all([
      hiddenPage(product, join(folder, 'hidden')).then(print),
      closedTab(product, join(folder, 'closed')).then(print),
    ])
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
