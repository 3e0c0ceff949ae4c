// Measures memory and time of copying a picked file to the device.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { TUS_CHUNK } from '#contract/limits.ts'
import { openBrowser } from '#bench/rig/browser.ts'
import { makeFile } from '#bench/rig/file.ts'
import { cpuOf, peakDuring } from '#bench/rig/memory.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { openEditor, pick, waitUntilCopied } from '#bench/rig/upload-methods.ts'
import { ROUNDS, roundsSet, sizeSet } from '#bench/rounds/overrides.ts'
import { type Figures, type Measured, measureRounds, type Method } from '#bench/rounds/rounds.ts'
import { medianOf } from '#bench/rounds/statistics.ts'

const MiB = 1024 * 1024
const SIZES = [1, 256, 1023]
/** Number of strict writes that are measured. */
const WRITES = 40
/** Pause after the browser's start, so that its work is not measured, ms. */
const IDLE_PAUSE_MS = 1500

interface Copying {
  readonly product: Product
  readonly file: string
  /** Bytes. */
  readonly size: number
  /** Whether the editor's players load the file too: a player buffers its file. */
  readonly shown: boolean
}

/** Runs in the page before the app: URLs of picked files lead to empty data. */
function disablePlayback(): void {
  URL.createObjectURL = () => 'data:,'
}

async function copy({ product, file, size, shown }: Copying): Promise<Figures> {
  makeFile(file, size)
  await product.quiet()
  const browser = await openBrowser()
  try {
    if (!shown) await browser.page.addInitScript(disablePlayback)
    await openEditor(browser.page, product)
    await new Promise((done) => setTimeout(done, IDLE_PAUSE_MS))
    const [began, before] = [Date.now(), cpuOf(browser.pid)]
    const { peak } = await peakDuring(browser.pid, async () => {
      await pick(browser.page, file)
      await waitUntilCopied(browser.page)
    })
    const [seconds, cpu] = [(Date.now() - began) / 1000, cpuOf(browser.pid) - before]
    return {
      'MB/s': size / 1e6 / seconds,
      'processor s': cpu / 1000,
      'peak memory above idle, MiB': peak / MiB,
    }
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

/** Writes as copying does, without reading, hashing and the app. */
async function bareWrites(product: Product, page: Page, pid: number): Promise<Figures> {
  await page.goto(`${product.url}/login`)
  const before = cpuOf(pid)
  const times = await page.evaluate(write, [TUS_CHUNK, WRITES] as [number, number])
  const ms = times.reduce((sum, it) => sum + it, 0)
  return {
    'MB/s': (TUS_CHUNK * WRITES) / 1000 / ms,
    'processor s': (cpuOf(pid) - before) / 1000,
    'one write, ms': medianOf(times),
  }
}

async function bareWritesInBrowser(product: Product): Promise<Figures> {
  await product.quiet()
  const browser = await openBrowser()
  try {
    return await bareWrites(product, browser.page, browser.pid)
  } finally {
    await browser.close()
  }
}

function methodsOf(product: Product, file: string, sizes: readonly number[]): Method[] {
  const copies = [false, true].flatMap((shown) =>
    sizes.map((size) => ({
      name: `${shown ? 'picking' : 'copying'} ${size} MiB`,
      measure: () => copy({ product, file, size: size * MiB, shown }),
    })),
  )
  return [{ name: 'bare writes of 5 MiB', measure: () => bareWritesInBrowser(product) }, ...copies]
}

/**
 * Measures copying files of three sizes, with (picking) and without their preview, in a fresh browser each; and single
 * strict writes to a database of the browser, with whose rate those of copying are compared.
 * @param largest size of the largest file, MiB
 */
export async function benchMemory(largest = sizeSet()): Promise<Measured[]> {
  const sizes = largest === undefined ? SIZES : [...new Set(SIZES.map((it) => Math.min(it, largest)))]
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  try {
    const result = await measureRounds({
      setting: `files of ${sizes.join(', ')} MiB`,
      rounds: roundsSet() ?? ROUNDS,
      compared: 'MB/s',
      methods: methodsOf(product, join(folder, 'video.mp4'), sizes),
    })
    return [result]
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
