// Measures memory and time of copying a picked file to the device.
import { randomFillSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TUS_CHUNK } from '#contract/limits.ts'
import { openBrowser } from '#bench/rig/browser.ts'
import { makeFile } from '#bench/rig/file.ts'
import { cpuOf, peakDuring } from '#bench/rig/memory.ts'
import type { Product } from '#bench/rig/product.ts'
import { openEditor, pick, waitUntilCopied } from '#bench/rig/upload-methods.ts'
import { ROUNDS, roundsSet, sizeSet } from '#bench/rounds/overrides.ts'
import { type Figures, type Measured, measureRounds, type Method } from '#bench/rounds/rounds.ts'
import { type Site, openSites } from './copying-sites.ts'
import { makePhotos, PHOTO_BYTES, PHOTOS, photoMethods } from './photos.ts'
import { syncedWrite } from './synced-write.ts'

const MiB = 1024 * 1024
const SIZES = [1, 256, 1023]
/** Most chunks of one transaction of copying. */
const MOST_AT_ONCE = 4
/** Number of chunks that strict writes write. */
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

interface Written {
  /** Number of chunks in each transaction. */
  readonly chunks: number
  readonly form: 'slice' | 'memory' | 'buffer'
}

/** Runs in the page: strict writes of chunks of the picked file, one after the other. @returns the median, ms */
async function write({ chunks, form, size }: Written & { size: number }): Promise<number> {
  const db = await new Promise<IDBDatabase>((done) => {
    const opening = indexedDB.open('todoke-bench')
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('chunks'))
    opening.addEventListener('success', () => done(opening.result))
  })
  const file = document.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0]
  if (!file) throw new Error('no file was picked')
  const times: number[] = []
  for (let at = 0; at + chunks * size <= file.size; at += chunks * size) {
    const slices = Array.from({ length: chunks }, (_, n) => file.slice(at + n * size, at + (n + 1) * size))
    const read = form === 'slice' ? [] : await Promise.all(slices.map((it) => it.arrayBuffer()))
    const forms = { slice: slices, buffer: read, memory: read.map((it) => new Blob([it])) }
    const began = performance.now()
    await new Promise<void>((done, failed) => {
      const tx = db.transaction('chunks', 'readwrite', { durability: 'strict' })
      tx.addEventListener('complete', () => done())
      tx.addEventListener('abort', () => failed(tx.error ?? new Error('aborted')))
      forms[form].forEach((bytes, n) => tx.objectStore('chunks').put({ bytes }, at + n))
    })
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

/** Writes as copying does, without reading, hashing and the app. */
async function bareWritesInBrowser(product: Product, folder: string, written: Written): Promise<Figures> {
  await product.quiet()
  const file = join(folder, 'chunks')
  writeFileSync(file, randomFillSync(Buffer.alloc(WRITES * TUS_CHUNK)))
  const browser = await openBrowser()
  try {
    const { page } = browser
    const body = '<input type="file">'
    await page.route(`${product.url}/bench`, (it) => it.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${product.url}/bench`)
    await pick(page, file)
    return { ms: await page.evaluate(write, { ...written, size: TUS_CHUNK }) }
  } finally {
    await browser.close()
  }
}

function copyMethods(sites: readonly Site[], file: string, sizes: readonly number[]): Method[] {
  return sites.flatMap(({ product, suffix }) =>
    [false, true].flatMap((shown) =>
      sizes.map((size) => ({
        name: `${shown ? 'picking' : 'copying'} ${size} MiB${suffix}`,
        measure: () => copy({ product, file, size: size * MiB, shown }),
      })),
    ),
  )
}

/** One synced write, and strict writes of the browser of as many bytes. @param chunks number of chunks of one write */
function writeMethods({ product }: Site, folder: string, chunks: number): Method[] {
  const bare = (name: string, form: Written['form']): Method => ({
    name,
    measure: () => bareWritesInBrowser(product, folder, { chunks, form }),
  })
  return [
    { name: 'one synced write', measure: async () => ({ ms: syncedWrite(folder, chunks * TUS_CHUNK) }) },
    bare('strict, slices of a file', 'slice'),
    bare('strict, Blobs in memory', 'memory'),
    bare('strict, ArrayBuffers', 'buffer'),
  ]
}

/**
 * Measures, in rounds of their own: strict writes of one chunk and of four in one transaction, compared with a synced
 * write of as many bytes; picked photos, compared with a synced write of their sum; and copying files of three sizes, with (picking) and without their
 * preview. Each method has a fresh browser. With `COPYING_BASE` the same is measured of that commit.
 * @param largest size of the largest file, MiB
 */
export async function benchMemory(largest = sizeSet()): Promise<Measured[]> {
  const sizes = largest === undefined ? SIZES : [...new Set(SIZES.map((it) => Math.min(it, largest)))]
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const sites = await openSites(folder)
  const rounds = roundsSet() ?? ROUNDS
  try {
    const [site] = sites
    if (!site) throw new Error('no version of the product was opened')
    const results: Measured[] = []
    for (const chunks of [1, MOST_AT_ONCE])
      results.push(
        await measureRounds({
          setting: `one write of ${(chunks * TUS_CHUNK) / MiB} MiB`,
          rounds,
          compared: 'ms',
          methods: writeMethods(site, folder, chunks),
        }),
      )
    const photos = await makePhotos(folder)
    results.push(
      await measureRounds({
        setting: `${PHOTOS} photos of ${PHOTO_BYTES / 1e6} MB`,
        rounds,
        compared: 'ms',
        methods: photoMethods(sites, folder, photos),
      }),
    )
    results.push(
      await measureRounds({
        setting: `files of ${sizes.join(', ')} MiB`,
        rounds,
        methods: copyMethods(sites, join(folder, 'video.mp4'), sizes),
      }),
    )
    return results
  } finally {
    for (const it of sites) await it.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
