// What the app has cached on the device.
import type { Page } from '@playwright/test'

/** The cached responses or pictures on the device, by their names. */
export const cachedIn = (page: Page, store: 'answers' | 'pictures'): Promise<string[]> =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((done) => {
        const opened = indexedDB.open('todoke')
        opened.addEventListener('success', () => {
          const db = opened.result
          const keys = db.transaction(name).objectStore(name).getAllKeys()
          keys.addEventListener('success', () => {
            db.close()
            done(keys.result.map(String))
          })
        })
      }),
    store,
  )
