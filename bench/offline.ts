// Runs Lighthouse after the server was stopped, on pages that the device has cached.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openBrowser } from './rig/browser.ts'
import { pagesOf, signIn, printPages } from './pages.ts'
import { openProduct } from './rig/product.ts'

const DEFAULT_VISITS = 3
/** A page that was not opened on this device. */
const UNCACHED = '/settings/privacy-and-security'

/** Opens the pages that are measured later, until the device has cached them. */
async function cachePages(page: Page, url: string, paths: readonly string[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  for (const path of paths) {
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await page.getByRole('article').first().waitFor()
  }
}

/** @param visits to each page */
export async function benchOffline(visits = DEFAULT_VISITS): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const product = await openProduct(data)
  const browser = await openBrowser()
  let isServerRunning = true
  try {
    await signIn(product, browser)
    const [home = '/', post = '/'] = await pagesOf(product)
    await cachePages(browser.page, product.url, [home, post])
    await product.close()
    isServerRunning = false
    for (const path of [home, post]) {
      const response = await browser.page.goto(product.url + path)
      const articles = browser.page.getByRole('article')
      await articles.first().waitFor()
      console.log(`${path} with no server: ${response?.status()}, ${await articles.count()} posts drawn`)
    }
    await printPages(product.url, browser.port, [home, post, UNCACHED], visits)
  } finally {
    await browser.close()
    if (isServerRunning) await product.close()
    rmSync(data, { recursive: true, force: true })
  }
}
