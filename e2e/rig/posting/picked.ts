// Picks files in the editor, and reads the device's rows of them.
import { expect, type Page } from '@playwright/test'
import { creator, signInByCookie } from '#e2e/rig/people/people.ts'

/** Signs the creator in and opens the editor. */
export async function openEditor(page: Page, url: string): Promise<void> {
  await signInByCookie(page, url, creator)
  await page.goto(`${url}/post/upload2`)
}

export const pick = (page: Page, files: string[]) => page.getByLabel('画像・動画を追加').setInputFiles(files)
/** The buttons that remove a file, one for each file in the draft. */
export const filesInDraft = (page: Page) => page.getByRole('button', { name: /を外す$/ })
/** The stored files that the device would send, oldest first. */
export async function storedFiles(
  page: Page,
): Promise<{ name: string; kind: string; mime: string; bytes: Buffer }[]> {
  await expect(page.getByText('画像を準備しています')).toHaveCount(0)
  const rows = await page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.addEventListener('success', () => done(request.result))
        request.addEventListener('error', () => failed(request.error ?? new Error('no result')))
      })
    const tx = (await resultOf(indexedDB.open('todoke'))).transaction(['media', 'chunks'])
    const media = await resultOf(tx.objectStore('media').getAll())
    const chunks = await resultOf(tx.objectStore('chunks').getAll())
    return Promise.all(
      media.map(async (row) => {
        const fileChunks = chunks
          .filter((it) => it.mediaId === row.id)
          .map((it) => it.bytes as Blob | ArrayBuffer)
        const bytes = new Uint8Array(await new Blob(fileChunks).arrayBuffer())
        return { ...row, complete: row.bytes.is === 'stored', bytes: Array.from(bytes) }
      }),
    )
  })
  if (rows.some((it) => !it.complete)) return storedFiles(page)
  return rows
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((it) => ({ name: it.name, kind: it.kind, mime: it.mime, bytes: Buffer.from(it.bytes) }))
}

/** Whether a stored draft has the file with this name, as one of its files or as its thumbnail. */
export const draftHas =
  (name: string) =>
  (page: Page): Promise<boolean> =>
    page.evaluate(async (wanted) => {
      const resultOf = <T>(request: IDBRequest<T>) =>
        new Promise<T>((done) => request.addEventListener('success', () => done(request.result)))
      const database = await resultOf(indexedDB.open('todoke'))
      const tx = database.transaction(['drafts', 'media'])
      const drafts = await resultOf(tx.objectStore('drafts').getAll())
      const media = await resultOf(tx.objectStore('media').getAll())
      database.close()
      const ids = new Set(drafts.flatMap((it) => [...it.mediaIds, it.thumbnailId]))
      return media.some((it) => it.name === wanted && ids.has(it.id))
    }, name)
