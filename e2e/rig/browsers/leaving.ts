// Reloads, closes and kills pages once the device has stored what the story wrote.
import { expect, type Page, type Response } from '@playwright/test'
import type { Phone } from './phone.ts'

/**
 * What the device must have stored before a page goes: texts, each of which must be in one stored row or value, or a
 * condition. The screen shows what was typed or pressed before the device has stored it, so that a page that goes in between
 * may lose it, as it would for a person within the same moment.
 */
export type Stored = readonly string[] | ((page: Page) => Promise<boolean>)

/** For a page in which the story wrote nothing since the server or the device is known to have it. */
export const nothingWritten: Stored = []

/** Runs in the page: every row of the app's database and every value of its other storage, as JSON, without bytes of files. */
async function readDevice(): Promise<string[]> {
  const withoutBytes = (_: string, value: unknown): unknown =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? '' : value
  const values = [localStorage, sessionStorage].flatMap((it) =>
    Array.from({ length: it.length }, (_, n) => String(it.getItem(String(it.key(n))))),
  )
  const db = await new Promise<IDBDatabase>((done, failed) => {
    const opening = indexedDB.open('todoke')
    opening.addEventListener('success', () => done(opening.result))
    opening.addEventListener('error', () => failed(opening.error ?? new Error('the database does not open')))
  })
  try {
    const names = [...db.objectStoreNames]
    if (names.length === 0) return values
    const reading = db.transaction(names)
    const rows = names.map(
      (name) =>
        new Promise<unknown[]>((done) => {
          const request = reading.objectStore(name).getAll()
          request.addEventListener('success', () => done(request.result))
        }),
    )
    const found = (await Promise.all(rows)).flat()
    return [...values, ...found.map((it) => JSON.stringify(it, withoutBytes) ?? '')]
  } finally {
    db.close()
  }
}

/** Waits until the device has stored this. */
export async function storedOnDevice(page: Page, stored: Stored): Promise<void> {
  if (typeof stored === 'function') {
    await expect.poll(() => stored(page), { message: 'the device to store it' }).toBe(true)
    return
  }
  for (const text of stored) {
    const isStored = async (): Promise<boolean> =>
      (await page.evaluate(readDevice)).some(
        (row) => row.includes(JSON.stringify(text).slice(1, -1)) || row.includes(text),
      )
    await expect.poll(isStored, { message: `the device to store ${text}` }).toBe(true)
  }
}

/** Reloads a page once the device has stored this. @returns the response with the document */
export async function reload(page: Page, stored: Stored): Promise<Response | null> {
  await storedOnDevice(page, stored)
  return page.reload()
}

/** Closes a tab once the device has stored this. */
export async function closePage(page: Page, stored: Stored): Promise<void> {
  await storedOnDevice(page, stored)
  await page.close()
}

/** Kills a browser with SIGKILL once the device has stored this. */
export async function killPhone(phone: Phone, stored: Stored): Promise<void> {
  await storedOnDevice(phone.page, stored)
  await phone.kill()
}
