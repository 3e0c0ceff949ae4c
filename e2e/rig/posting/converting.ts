// Pauses the conversion of photos, and reads the files on the device.
import { storedFiles, filesInDraft } from './picked.ts'
import sharp from 'sharp'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'

const path = join(import.meta.dirname, '../../fixtures/heic/syn-marker.heic')

/** A HEIC, which Chromium cannot decode itself. */
export const heic = { path, name: 'syn-marker.heic', bytes: readFileSync(path) }

/** Pauses every conversion of a HEIC until the returned function is called. */
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

export interface FileOnDevice {
  readonly name: string
  readonly mime: string
  /** The stored bytes, hex. */
  readonly bytes: string
  /** `stored` once every byte is on the device; before that `copying`. */
  readonly copy: string
  /** `ready` for a file that can be sent. */
  readonly conversion: string
}

/** The picked files in the device's database, oldest first. */
export function filesOnDevice(page: Page): Promise<FileOnDevice[]> {
  return page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.addEventListener('success', () => done(request.result))
        request.addEventListener('error', () => failed(request.error ?? new Error('no result')))
      })
    const database = await resultOf(indexedDB.open('todoke'))
    const tx = database.transaction(['media', 'chunks'])
    const media = await resultOf(tx.objectStore('media').getAll())
    const chunks = await resultOf(tx.objectStore('chunks').getAll())
    const rows = await Promise.all(
      media.map(async (row) => {
        const fileChunks = chunks
          .filter((it) => it.mediaId === row.id)
          .map((it) => it.bytes as Blob | ArrayBuffer)
        const bytes = new Uint8Array(await new Blob(fileChunks).arrayBuffer())
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

/** Counts the stored chunks of all files. */
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

/** Expects that the picked file is stored, with all its bytes. */
export const expectStoredAsPicked = (page: Page) =>
  expect
    .poll(async () => (await filesOnDevice(page)).map((it) => [it.copy, it.bytes]))
    .toEqual([['stored', heic.bytes.toString('hex')]])

/** Expects that the only file of the draft is a JPEG and the picked file is deleted. */
export async function expectConverted(page: Page): Promise<void> {
  await expect(filesInDraft(page)).toHaveCount(1)
  await expect(spinner(page)).toHaveCount(0)
  const [file, ...others] = await storedFiles(page)
  expect(others).toEqual([])
  expect(file).toMatchObject({ name: 'syn-marker.jpg', mime: 'image/jpeg' })
  expect((await sharp(file?.bytes).metadata()).format).toBe('jpeg')
}
