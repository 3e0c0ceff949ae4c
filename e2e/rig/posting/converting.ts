// Photos that are being converted: holds the decoder back, and reads what the device has of them.
import { stored, filesInDraft } from './picked.ts'
import sharp from 'sharp'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'

const path = join(import.meta.dirname, '../../fixtures/heic/syn-marker.heic')

/** A HEIC that Chromium itself does not read. */
export const heic = { path, name: 'syn-marker.heic', bytes: readFileSync(path) }

/** Every conversion of a HEIC waits from here on until the returned function is called. */
export async function holdDecoder(context: BrowserContext): Promise<() => void> {
  let release = (): void => {}
  const held = new Promise<void>((done) => (release = done))
  await context.route('**/libheif-*.wasm', async (route) => {
    await held
    // The requesting page may be closed.
    await route.continue().catch(() => undefined)
  })
  return release
}

export interface OnDevice {
  readonly name: string
  readonly mime: string
  /** Bytes of the file that is stored, hex. */
  readonly bytes: string
  /** `stored` once every byte is on the device; before that `copying`. */
  readonly copy: string
  /** `ready` for a file that can be sent. */
  readonly conversion: string
}

/** What the device's database holds of picked files, oldest first. */
export function onDevice(page: Page): Promise<OnDevice[]> {
  return page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.addEventListener('success', () => done(request.result))
        request.addEventListener('error', () => failed(request.error ?? new Error('no answer')))
      })
    const database = await ask(indexedDB.open('todoke'))
    const tx = database.transaction(['media', 'chunks'])
    const media = await ask(tx.objectStore('media').getAll())
    const chunks = await ask(tx.objectStore('chunks').getAll())
    const rows = await Promise.all(
      media.map(async (row) => {
        const own = chunks.filter((it) => it.mediaId === row.id).map((it) => it.bytes as Blob | ArrayBuffer)
        const bytes = new Uint8Array(await new Blob(own).arrayBuffer())
        const hex = Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')
        return { ...row, conversion: row.conversion?.is ?? 'ready', copy: row.bytes.is, bytes: hex }
      }),
    )
    database.close()
    return rows
      .sort((a, b) => a.createdAt - b.createdAt)
      .map(({ name, mime, bytes, copy, conversion }) => ({ name, mime, bytes, copy, conversion }))
  })
}

/** How many chunks of any file are stored. */
export async function chunksOnDevice(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        const opening = indexedDB.open('todoke')
        opening.addEventListener('success', () => {
          const counting = opening.result.transaction('chunks').objectStore('chunks').count()
          counting.addEventListener('success', () => {
            opening.result.close()
            done(counting.result)
          })
        })
      }),
  )
}

export const spinner = (page: Page) => page.getByText('画像を準備しています')

/** The picked file itself is stored, to the last byte. */
export const isStoredAsPicked = (page: Page) =>
  expect
    .poll(async () => (await onDevice(page)).map((it) => [it.copy, it.bytes]))
    .toEqual([['stored', heic.bytes.toString('hex')]])

/** The one file of the draft is a JPEG now, and of the picked file nothing is left. */
export async function isConverted(page: Page): Promise<void> {
  await expect(filesInDraft(page)).toHaveCount(1)
  await expect(spinner(page)).toHaveCount(0, { timeout: 180_000 })
  const [file, ...others] = await stored(page)
  expect(others).toEqual([])
  expect(file).toMatchObject({ name: 'syn-marker.jpg', mime: 'image/jpeg' })
  expect((await sharp(file?.bytes).metadata()).format).toBe('jpeg')
}
