// Pages of the app in browsers that Playwright does not drive.
import type { OtherBrowser } from './other-browser.ts'

/** Runs in the page. @returns the keys or rows of one store of the device's database, each as text */
const readStore = (store: string, all: 'getAllKeys' | 'getAll', asText: string) => `new Promise((done) => {
  indexedDB.open('todoke').addEventListener('success', ({ target: { result: db } }) => {
    db.transaction('${store}').objectStore('${store}').${all}().addEventListener('success', ({ target }) => {
      db.close()
      done(target.result.map((it) => ${asText}))
    })
  })
})`

/** The keys of one store of the device's database, each as text. */
export const keysOf = (browser: OtherBrowser, store: string): Promise<string[]> =>
  browser.evaluate<string[]>(readStore(store, 'getAllKeys', 'String(it)'))

/** The rows of one store, each as JSON. */
export const rowsOf = (browser: OtherBrowser, store: string): Promise<string[]> =>
  browser.evaluate<string[]>(readStore(store, 'getAll', 'JSON.stringify(it)'))

/** Navigates inside the app. In WebKit a transaction never ends when its page is left by a load. */
export const goTo = (browser: OtherBrowser, path: string) =>
  browser.evaluate(`(history.pushState({}, '', '${path}'), dispatchEvent(new PopStateEvent('popstate')))`)

/** XPath of an element whose own text contains this. */
export const containing = (text: string) => `//*[contains(text(), "${text}")]`

/** Runs `work` with a browser, and discards it. Its error contains the text of the page. */
export async function withBrowser(
  opened: Promise<OtherBrowser>,
  work: (browser: OtherBrowser) => Promise<void>,
): Promise<void> {
  const browser = await opened
  try {
    await work(browser)
  } catch (error) {
    const page = await browser
      .evaluate<string>('location.href + "\\n" + document.body.innerText')
      .catch(String)
    throw new Error(`${String(error)}\nThe page then:\n${page}`, { cause: error })
  } finally {
    await browser.discard()
  }
}
