// What the app has stored on the device.
import type { Page, Worker } from '@playwright/test'

/** The keys of a store, or its rows as JSON. */
const readStore = ([store, what]: readonly [store: string, what: 'keys' | 'rows']) =>
  new Promise<string[]>((done) => {
    const opened = indexedDB.open('todoke')
    opened.addEventListener('success', () => {
      const db = opened.result
      const rows = db.transaction(store).objectStore(store)
      const found = what === 'keys' ? rows.getAllKeys() : rows.getAll()
      found.addEventListener('success', () => {
        db.close()
        done(found.result.map((it) => (what === 'keys' ? String(it) : JSON.stringify(it))))
      })
    })
  })

/** The cached responses or pictures on the device, by their names. */
export const cachedIn = (page: Page, store: 'answers' | 'pictures'): Promise<string[]> =>
  page.evaluate(readStore, [store, 'keys'] as const)

/** The mutations on the device that wait, or whose refusal is shown, by their ids. */
export const mutationsOn = (page: Page): Promise<string[]> =>
  page.evaluate(readStore, ['acts', 'keys'] as const)

/** The rows of a store as JSON. */
export const rowsIn = (page: Page, store: string): Promise<string[]> =>
  page.evaluate(readStore, [store, 'rows'] as const)

/** The rows of a store as JSON, read by the app's worker: no page is open. */
export const rowsBy = (worker: Worker, store: string): Promise<string[]> =>
  worker.evaluate(readStore, [store, 'rows'] as const)
