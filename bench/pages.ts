// Lighthouse, as on a phone, on the pages people read each day: with the demo people's posts, signed in.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import * as v from 'valibot'
import { listPosts } from '#contract/posts.ts'
import { openBrowser } from './browser.ts'
import { creator, openProduct, type Product } from './product.ts'

/** Of each page the median of so many visits. */
const USUAL = 3
const categories = ['performance', 'accessibility', 'best-practices'] as const

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Home, the newest post with pictures, and its author. */
async function pagesOf(product: Product): Promise<string[]> {
  const headers = { authorization: `Bearer ${product.token}` }
  const { posts } = v.parse(
    listPosts.reply,
    await (await fetch(`${product.url}/api/posts`, { headers })).json(),
  )
  const shown = posts.find(
    (it) => it.access.is === 'full' && it.access.media.some((one) => one.kind === 'image'),
  )
  if (!shown) throw new Error('the demo has no pictures')
  return ['/', `/post/${shown.id}`, `/profile/${shown.author.id}`]
}

interface Visit {
  readonly scores: readonly number[]
  /** What cost points. */
  readonly lost: readonly string[]
}

const places = v.object({ items: v.array(v.object({ node: v.object({ snippet: v.string() }) })) })

/** The first thing an audit complains of, as it stands in the page. */
function placeOf(details: unknown): string {
  const found = v.safeParse(places, details)
  return found.success ? (found.output.items[0]?.node.snippet ?? '') : ''
}

async function visit(url: string, port: number): Promise<Visit> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...categories],
    // The session is a part of what is measured.
    disableStorageReset: true,
    logLevel: 'error',
  })
  if (!result) throw new Error('Lighthouse gave nothing')
  const { lhr } = result
  const lost = categories.flatMap((name) =>
    (lhr.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) =>
        `${id} ${lhr.audits[id]?.displayValue ?? ''} ${placeOf(lhr.audits[id]?.details)}`.trim(),
      ),
  )
  return { scores: categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)), lost }
}

/** @param visits to each page */
export async function benchPages(visits = USUAL): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const product = await openProduct(data)
  const browser = await openBrowser()
  try {
    const { page, port } = browser
    await page.goto(`${product.url}/login`)
    await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
    await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
    await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
    await page.waitForURL(`${product.url}/`)
    // The demo's pictures are made ready first.
    await product.quiet()
    console.log(`${'page'.padEnd(50)}${categories.map((it) => it.padStart(16)).join('')}`)
    for (const path of await pagesOf(product)) {
      const all: Visit[] = []
      for (let n = 0; n < visits; n++) all.push(await visit(product.url + path, port))
      const scores = categories.map((_, i) => median(all.map((it) => it.scores[i] ?? 0)))
      console.log(path.padEnd(50) + scores.map((it) => String(it).padStart(16)).join(''))
      for (const it of new Set(all.flatMap((one) => one.lost))) console.log(`  ${it}`)
    }
  } finally {
    await browser.close()
    await product.close()
    rmSync(data, { recursive: true, force: true })
  }
}
