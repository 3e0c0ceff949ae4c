// Three ways of sending one file with a browser: one raw PUT, Uppy with tus, and our queue in the app itself.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { openBrowser } from './browser.ts'
import { peakDuring } from './memory.ts'
import { creator, type Product } from './product.ts'
import type { Sink } from './sink.ts'

export interface Measured {
  /** From the pick of the file to the last acknowledged byte. */
  readonly seconds: number
  /** Peak of the browser's memory above idle, bytes. */
  readonly peak: number
}

async function measure(
  prepare: (page: Page) => Promise<void>,
  send: (page: Page) => Promise<number>,
): Promise<Measured> {
  const browser = await openBrowser()
  try {
    await prepare(browser.page)
    // What start-up left behind is not the upload's.
    await new Promise((done) => setTimeout(done, 1500))
    const { result, peak } = await peakDuring(browser.pid, () => send(browser.page))
    return { seconds: result / 1000, peak }
  } finally {
    await browser.close()
  }
}

/** Picks a file of any size: the driver's own way carries large ones only to browsers it started itself. */
async function pick(page: Page, file: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  const { root } = await debug.send('DOM.getDocument')
  const { nodeId } = await debug.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'input[type=file]',
  })
  await debug.send('DOM.setFileInputFiles', { nodeId, files: [file] })
  await debug.detach()
}

const pickAndWait = (file: string) => async (page: Page) => {
  await pick(page, file)
  return page.evaluate(() => window.sent)
}

/** One fetch with the whole file as its body. */
export function rawPut(sink: Sink, file: string): Promise<Measured> {
  return measure(async (page) => void (await page.goto(sink.url)), pickAndWait(file))
}

/** Bundles the Uppy page as an application would. */
export async function bundleUppy(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, 'uppy-page.ts'), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  return output.output[0].code
}

/** @uppy/core and @uppy/tus in a plain page of the product's origin, against the product's tus server. */
export function uppy(product: Product, script: string, file: string): Promise<Measured> {
  return measure(async (page) => {
    const html = `<!doctype html><input type="file"><script src="/bench.js"></script>`
    await page.route(`${product.url}/bench`, (it) => it.fulfill({ contentType: 'text/html', body: html }))
    await page.route(`${product.url}/bench.js`, (it) =>
      it.fulfill({ contentType: 'text/javascript', body: script }),
    )
    await page.goto(`${product.url}/bench`)
    await page.evaluate((token) => {
      window.token = token
    }, product.token)
    // A route left standing would let every request pass through the driver.
    await page.unrouteAll()
  }, pickAndWait(file))
}

/**
 * The editor, its device store and the service worker.
 * @param from `pick`: the button is pressed at once, so copying to the device and sending overlap;
 * `press`: the file was copied while the person still wrote, and time runs from the press
 */
export function ourQueue(product: Product, file: string, from: 'pick' | 'press'): Promise<Measured> {
  return measure(
    (page) => openEditor(page, product),
    async (page) => {
      const picked = performance.now()
      await pick(page, file)
      const remove = page.getByRole('button', { name: /を取り除く$/ })
      await remove.waitFor()
      if (from === 'press') await copied(page)
      const pressed = performance.now()
      await page.getByRole('banner').getByRole('button', { name: '投稿', exact: true }).click()
      await page.evaluate(allAcknowledged)
      return performance.now() - (from === 'pick' ? picked : pressed)
    },
  )
}

async function copied(page: Page): Promise<void> {
  const copying = page.getByLabel('video.mp4をこの端末に保存中').first()
  await copying.waitFor()
  await copying.waitFor({ state: 'detached' })
}

async function openEditor(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/login`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
  await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
  await page.getByRole('main').getByRole('button', { name: 'ログイン' }).click()
  await page.waitForURL(`${product.url}/`)
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await page.goto(`${product.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('測定')
}

/** Runs in the page: waits until the device's job has every byte acknowledged, or is gone because it is released. */
async function allAcknowledged(): Promise<void> {
  const database = await new Promise<IDBDatabase>((done) => {
    const opening = indexedDB.open('todoke')
    opening.addEventListener('success', () => done(opening.result))
  })
  let seen = false
  for (;;) {
    const jobs = await new Promise<{ facts: { media: { done: boolean }[] } }[]>((done) => {
      const reading = database.transaction('jobs').objectStore('jobs').getAll()
      reading.addEventListener('success', () => done(reading.result as never))
    })
    seen ||= jobs.length > 0
    if (seen && jobs.every((job) => job.facts.media.every((it) => it.done))) return database.close()
    await new Promise((done) => setTimeout(done, 20))
  }
}
