// Measures memory and time of copying a picked file to the device.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { TUS_CHUNK } from '#contract/limits.ts'
import { openBrowser } from './rig/browser.ts'
import { makeFile } from './rig/file.ts'
import { peakDuring } from './rig/memory.ts'
import { openProduct, type Product } from './rig/product.ts'
import { openEditor, pick, waitUntilCopied } from './rig/upload-methods.ts'

const MiB = 1024 * 1024
const SIZES = [1 * MiB, 256 * MiB, 1023 * MiB]
/** Number of strict writes that are measured. */
const WRITES = 40
/** Pause after the browser's start, so that its work is not measured, ms. */
const IDLE_PAUSE_MS = 1500

/** Runs in the page before the app: URLs of picked files lead to empty data. */
function disablePlayback(): void {
  URL.createObjectURL = () => 'data:,'
}

/** @param shown whether the editor's players load the file too: a player buffers its file */
async function copy(product: Product, file: string, size: number, shown: boolean): Promise<void> {
  makeFile(file, size)
  await product.quiet()
  const browser = await openBrowser()
  try {
    if (!shown) await browser.page.addInitScript(disablePlayback)
    await openEditor(browser.page, product)
    await new Promise((done) => setTimeout(done, IDLE_PAUSE_MS))
    const began = Date.now()
    const { peak } = await peakDuring(browser.pid, async () => {
      await pick(browser.page, file)
      await waitUntilCopied(browser.page)
    })
    const rate = size / 1000 / (Date.now() - began)
    console.log(
      `${shown ? 'picking' : 'copying'} ${String(size / MiB).padStart(4)} MiB: peak above idle  ${(peak / MiB).toFixed(0).padStart(4)} MiB   (${rate.toFixed(0)} MB/s)${shown ? '' : '   baseline 15 MiB   goal 30 MiB'}`,
    )
  } finally {
    await browser.close()
  }
}

/** Runs in the page: strict writes of slices of a Blob, one after the other, each in ms. */
async function write([chunk, count]: [number, number]): Promise<number[]> {
  const db = await new Promise<IDBDatabase>((done) => {
    const opening = indexedDB.open('todoke-bench')
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('chunks'))
    opening.addEventListener('success', () => done(opening.result))
  })
  const parent = new Blob([new Uint8Array(chunk), new Uint8Array(chunk)])
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const began = performance.now()
    await new Promise<void>((done, failed) => {
      const tx = db.transaction('chunks', 'readwrite', { durability: 'strict' })
      tx.addEventListener('complete', () => done())
      tx.addEventListener('abort', () => failed(tx.error ?? new Error('aborted')))
      tx.objectStore('chunks').put({ bytes: parent.slice(index, index + chunk) }, index)
    })
    times.push(performance.now() - began)
  }
  return times
}

async function timeWrites(page: Page): Promise<void> {
  const times = (await page.evaluate(write, [TUS_CHUNK, WRITES] as [number, number])).toSorted(
    (a, b) => a - b,
  )
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)
  console.log(
    `a strict write of 5 MiB: median  ${at(0.5)} ms   (90 % under ${at(0.9)} ms)   baseline 11 ms   goal 20 ms`,
  )
}

/** Measures copying files of three sizes, with and without their preview, in a fresh browser each; and single writes. */
export async function benchMemory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  try {
    for (const shown of [false, true])
      for (const size of SIZES) await copy(product, join(folder, 'video.mp4'), size, shown)
    const browser = await openBrowser()
    await browser.page.goto(`${product.url}/login`)
    await timeWrites(browser.page)
    await browser.close()
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
