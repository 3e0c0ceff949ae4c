// Measures memory while scrolling through home's newest posts, after 50 and after 1000.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { addPost } from '#contract/posts/posts.ts'
import { openBrowser } from './rig/browser.ts'
import { creator, openProduct, type Product } from './rig/product.ts'

/** Default number of posts to scroll past. */
const DEFAULT_POSTS = 1000
const FIRST = 50
/** Every nth post has a picture, with its own colours. */
const PICTURED = 5

async function publish({ url, token }: Product, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (let n = 0; n < count; n++) {
    const body = new FormData()
    body.append('content', `${n}通目の手紙です。${'今日も窓辺で書いています。'.repeat(n % 9)}`)
    body.append('type', '1')
    if (n % PICTURED === 0) {
      const background = { r: n % 256, g: (n * 7) % 256, b: (n * 13) % 256 }
      const picture = sharp({ create: { width: 640, height: 480, channels: 3, background } })
      const bytes = await picture.jpeg().toBuffer()
      body.append('image_file[]', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `${n}.jpg`)
    }
    const added = await fetch(`${url}/api/post/add`, { method: 'POST', headers, body })
    const id = v.parse(addPost.reply, await added.json()).data[0]?.item.id
    const released = await fetch(`${url}/api/post/release-uploaded/${id}`, { method: 'POST', headers })
    if (!released.ok) throw new Error(`a post was not released: ${released.status}`)
  }
}

const furthest = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('[data-index]')].map((it) => Number(it.getAttribute('data-index'))),
    ),
  )

async function scrollTo(page: Page, post: number): Promise<void> {
  for (let n = 0; n < 20_000 && (await furthest(page)) < post; n++) {
    await page.mouse.wheel(0, 900)
    await page.waitForTimeout(40)
  }
  // Waits for work in progress.
  await page.waitForTimeout(3000)
}

interface Size {
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

async function sizeOf(cdp: CDPSession): Promise<Size> {
  for (let n = 0; n < 3; n++) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((it) => it.name === name)?.value ?? Number.NaN
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), listeners: metric('JSEventListeners') }
}

const formatRow = (post: number, { heap, nodes, listeners }: Size): string =>
  `after ${String(post).padStart(5)} posts  heap ${(heap / 1e6).toFixed(1).padStart(6)} MB  ` +
  `nodes ${String(nodes).padStart(6)}  listeners ${String(listeners).padStart(5)}`

/** @param far number of posts to scroll past */
export async function benchScroll(far = DEFAULT_POSTS): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const product = await openProduct(data)
  const browser = await openBrowser()
  try {
    const { page } = browser
    await publish(product, far + FIRST)
    await product.quiet()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${product.url}/login`)
    await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
    await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
    await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
    await page.waitForURL(`${product.url}/`)
    await page.goto(`${product.url}/?tab=latest`)
    await page.getByRole('article').first().waitFor()
    await page.mouse.move(195, 500)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const sizes: Size[] = []
    for (const post of [FIRST, far / 2, far]) {
      await scrollTo(page, post)
      const size = await sizeOf(cdp)
      sizes.push(size)
      console.log(formatRow(post, size))
    }
    const [first, , last] = sizes
    if (first && last)
      console.log(
        `${far} against ${FIRST}: heap ×${(last.heap / first.heap).toFixed(2)}, nodes ×${(last.nodes / first.nodes).toFixed(2)}   (goal: flat)`,
      )
  } finally {
    await browser.close()
    await product.close()
    rmSync(data, { recursive: true, force: true })
  }
}
