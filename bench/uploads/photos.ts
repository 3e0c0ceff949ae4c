// Compares the storing of picked photos with one synced write of their bytes.
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { openBrowser } from '#bench/rig/browser.ts'
import { cpuOf } from '#bench/rig/memory.ts'
import { openEditor, pick } from '#bench/rig/upload-methods.ts'
import type { Figures, Method } from '#bench/rounds/rounds.ts'
import type { Site } from './copying-sites.ts'
import { syncedWrite } from './synced-write.ts'

/** Number of picked photos, and bytes of each. */
export const PHOTOS = 20
export const PHOTO_BYTES = 3_000_000
/** Pause after the browser's start, so that its work is not measured, ms. */
const IDLE_PAUSE_MS = 1500
/** Most bytes of a comment in a JPEG, without its marker. */
const COMMENT = 65_000

/** A JPEG of 12 megapixels and exactly `PHOTO_BYTES`: what the picture lacks is noise in comments, another one each time. */
export async function makePhotos(folder: string): Promise<string[]> {
  const [width, height] = [1000, 750]
  const raw = randomFillSync(Buffer.alloc(width * height * 3))
  const jpeg = await sharp(raw, { raw: { width, height, channels: 3 } })
    .resize(4 * width, 4 * height)
    .jpeg({ quality: 60 })
    .toBuffer()
  return Array.from({ length: PHOTOS }, (_, n) => {
    const path = join(folder, `photo-${n}.jpg`)
    writeFileSync(path, padded(jpeg))
    return path
  })
}

function padded(jpeg: Buffer): Buffer {
  const comments: Buffer[] = []
  for (let missing = PHOTO_BYTES - jpeg.length; missing > 0;) {
    const size = missing > COMMENT + 4 ? Math.min(COMMENT, missing - 4) : missing
    if (size < 4) throw new Error('the photo cannot be padded')
    const comment = randomFillSync(Buffer.alloc(size))
    comment.writeUInt16BE(0xfffe, 0)
    comment.writeUInt16BE(size - 2, 2)
    comments.push(comment)
    missing -= size
  }
  const whole = Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)])
  if (whole.length !== PHOTO_BYTES) throw new Error(`a photo of ${jpeg.length} bytes is too large`)
  return whole
}

declare global {
  interface Window {
    /** Milliseconds from the pick to the moment when all photos were on the device; undefined before. */
    photosStored?: number
  }
}

/**
 * Runs in the page before the app. Reads the rows after every transaction that can have stored a photo, over a connection
 * of its own.
 * @param count number of photos
 */
function watchRows(count: number): void {
  let picked = 0
  const isFile = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'file'
  const onChange = ({ target }: Event) => isFile(target) && (picked = performance.now())
  addEventListener('change', onChange, { capture: true })
  const { transaction } = IDBDatabase.prototype
  const whole = (db: IDBDatabase, at: number): void => {
    const rows = transaction.call(db, ['media'], 'readonly').objectStore('media').getAll()
    rows.addEventListener('success', () => {
      const stored = (rows.result as { bytes: { is: string } }[]).filter((it) => it.bytes.is === 'stored')
      if (stored.length === count) window.photosStored ??= at - picked
    })
  }
  IDBDatabase.prototype.transaction = function (...given) {
    const made = transaction.apply(this, given)
    if (given[1] === 'readwrite' && picked > 0 && made.objectStoreNames.contains('media'))
      made.addEventListener('complete', () => {
        if (window.photosStored === undefined) whole(this, performance.now())
      })
    return made
  }
}

async function pickPhotos({ product }: Site, files: readonly string[]): Promise<Figures> {
  await product.quiet()
  const browser = await openBrowser()
  try {
    const { page } = browser
    await page.addInitScript(watchRows, files.length)
    await openEditor(page, product)
    await new Promise((done) => setTimeout(done, IDLE_PAUSE_MS))
    const before = cpuOf(browser.pid)
    await pick(page, ...files)
    const stored = await waitForRows(page)
    return { ms: stored, 'processor s': (cpuOf(browser.pid) - before) / 1000 }
  } finally {
    await browser.close()
  }
}

async function waitForRows(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => window.photosStored, undefined, { polling: 100 })
  const ms = await found.jsonValue()
  if (ms === undefined) throw new Error('the photos were not stored')
  return ms
}

/** One synced write of the bytes of all photos, and picking them in each version of the product. */
export function photoMethods(sites: readonly Site[], folder: string, files: readonly string[]): Method[] {
  const bytes = PHOTOS * PHOTO_BYTES
  return [
    { name: 'one synced write', measure: async () => ({ ms: syncedWrite(folder, bytes) }) },
    ...sites.map((site) => ({ name: `picking${site.suffix}`, measure: () => pickPhotos(site, files) })),
  ]
}
