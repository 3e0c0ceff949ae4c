// Uploads one file with a browser: by a raw PUT, Uppy, or the app.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { watchFor } from './file-watch.ts'
import { openBrowser } from './browser.ts'
import { cpuOf, peakDuring } from './memory.ts'
import { creator, type Product } from './product.ts'
import type { Sink } from './sink.ts'

export interface Measured {
  readonly bytes: number
  /** From the beginning to the last byte on the server's disk. */
  readonly seconds: number
  /** Processor time of browser and server, ms. */
  readonly cpu: number
  /** Peak of the browser's memory above idle, bytes; undefined when it was not watched. */
  readonly peak: number | undefined
}

/** Watching memory uses half a core, so a run measures either time or memory. */
export type Scale = 'time' | 'memory'

interface UploadMethod {
  readonly file: string
  /** Folder in which the server stores what it receives. */
  readonly targetFolder: string
  /** Processor time of the receiving process, ms. */
  cpu(): number
  prepare(page: Page): Promise<void>
  /** Starts the upload. @returns the moment of its start, ms since 1970 */
  begin(page: Page): Promise<number>
}

/** Time to detach from the browser before the upload starts, ms. */
const HEAD_START = 700
/** Pause after the browser's start, so that its work is not measured, ms. */
const IDLE_PAUSE_MS = 1500

async function measure(method: UploadMethod, scale: Scale): Promise<Measured> {
  const browser = await openBrowser()
  try {
    await method.prepare(browser.page)
    await new Promise((done) => setTimeout(done, IDLE_PAUSE_MS))
    const bytes = statSync(method.file).size
    const arrived = watchFor(method.targetFolder, bytes)
    const go = async (): Promise<{ ms: number; cpu: number }> => {
      const began = await method.begin(browser.page)
      await browser.detach()
      const before = cpuOf(browser.pid) + method.cpu()
      const ms = (await arrived()) - began
      return { ms, cpu: cpuOf(browser.pid) + method.cpu() - before }
    }
    const { result, peak } =
      scale === 'memory' ? await peakDuring(browser.pid, go) : { result: await go(), peak: undefined }
    return { bytes, seconds: result.ms / 1000, cpu: result.cpu, peak }
  } finally {
    await browser.close()
  }
}

/** Picks files of any size; Playwright's own method takes large files only in browsers that it started. */
export async function pick(page: Page, ...files: string[]): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  const { root } = await debug.send('DOM.getDocument')
  const { nodeId } = await debug.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'input[type=file]',
  })
  await debug.send('DOM.setFileInputFiles', { nodeId, files })
  await debug.detach()
}

/** Picks the file on a page that waits for `startAt`. */
const pickAndStart = (file: string) => async (page: Page) => {
  const startAt = Date.now() + HEAD_START
  await page.evaluate((at) => {
    window.startAt = at
  }, startAt)
  await pick(page, file)
  return startAt
}

/** Measures one fetch with the whole file as its body. */
export function rawPut(sink: Sink, file: string, scale: Scale): Promise<Measured> {
  return measure(
    {
      file,
      targetFolder: sink.folder,
      cpu: sink.cpu,
      prepare: async (page) => void (await page.goto(sink.url)),
      begin: pickAndStart(file),
    },
    scale,
  )
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

/** Measures @uppy/core and @uppy/tus in a plain page, against the product's tus server. */
export function uppy(product: Product, script: string, file: string, scale: Scale): Promise<Measured> {
  return measure(
    {
      file,
      targetFolder: product.uploads,
      cpu: product.cpu,
      async prepare(page) {
        const html = `<!doctype html><input type="file"><script src="/bench.js"></script>`
        await page.route(`${product.url}/bench`, (it) => it.fulfill({ contentType: 'text/html', body: html }))
        await page.route(`${product.url}/bench.js`, (it) =>
          it.fulfill({ contentType: 'text/javascript', body: script }),
        )
        await page.goto(`${product.url}/bench`)
        await page.evaluate((token) => {
          window.token = token
        }, product.token)
        await page.unrouteAll()
      },
      begin: pickAndStart(file),
    },
    scale,
  )
}

/**
 * Measures the app: the editor, its device store and the service worker.
 * @param from `pick`: the button is pressed at once, so copying to the device and sending overlap;
 * `press`: the file was copied before, and time is measured from the press; `carried`: as `press`, and the browser may carry the
 * upload by itself, which it otherwise may not
 */
export function appQueue(
  product: Product,
  file: string,
  from: 'pick' | 'press' | 'carried',
  scale: Scale,
): Promise<Measured> {
  return measure(
    {
      file,
      targetFolder: product.uploads,
      cpu: product.cpu,
      async prepare(page) {
        if (from !== 'carried') await page.addInitScript(withoutBackgroundFetch)
        await openEditor(page, product)
        if (from !== 'pick') {
          await pick(page, file)
          await waitUntilCopied(page)
        }
      },
      async begin(page) {
        const picked = Date.now()
        if (from === 'pick') {
          await pick(page, file)
          await page.getByRole('button', { name: /を外す$/ }).waitFor()
        }
        const pressed = Date.now() + (from === 'pick' ? 0 : HEAD_START)
        await page.evaluate(pressAt, pressed)
        return from === 'pick' ? picked : pressed
      },
    },
    scale,
  )
}

/** Runs in the page: the app sees a browser that carries no uploads. */
function withoutBackgroundFetch(): void {
  delete (window as { BackgroundFetchManager?: unknown }).BackgroundFetchManager
}

/** Runs in the page: presses 投稿 at a moment, ms since 1970. */
function pressAt(moment: number): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('header button')]
  const post = buttons.find((it) => it.textContent.trim() === '投稿')
  if (!post) throw new Error('no button is named 投稿')
  setTimeout(() => post.click(), Math.max(0, moment - Date.now()))
}

/** Waits until the picked `video.mp4` is on the device. */
export async function waitUntilCopied(page: Page): Promise<void> {
  // A small file is copied before one could see its progress, which its tile has from the beginning.
  await page.getByRole('button', { name: /を外す$/ }).waitFor()
  await page.getByLabel('video.mp4をこの端末に保存中').first().waitFor({ state: 'detached' })
}

/** Signs in as the demo creator, and waits for the worker. */
export async function signIn(page: Page, { url }: Pick<Product, 'url'>): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
  await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await page.waitForURL(`${url}/`)
  await page.evaluate(async () => navigator.serviceWorker.ready)
}

/** Signs in, opens the editor and writes a text. Nothing is sent before 投稿 is pressed. */
export async function openEditor(page: Page, product: Pick<Product, 'url'>): Promise<void> {
  await signIn(page, product)
  await page.goto(`${product.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('測定')
  await page.getByRole('switch', { name: '書いている間にファイルを送信' }).setChecked(false)
}
