// Runs Lighthouse for a phone on the main pages, signed in, with demo posts.
import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import * as v from 'valibot'
import { listPosts } from '#contract/posts/posts.ts'
import { openBrowser, type RunningBrowser } from './rig/browser.ts'
import { creator, openProduct, type Product } from './rig/product.ts'

/** Default number of visits to each page, whose median is printed. */
const DEFAULT_VISITS = 3
const categories = ['performance', 'accessibility', 'best-practices'] as const

/** The median; visits without a figure are ignored. */
function median(values: readonly number[]): number {
  const figures = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  return figures[figures.length >> 1] ?? Number.NaN
}

/** Home, the newest post with pictures, and its author. */
export async function pagesOf(product: Product): Promise<string[]> {
  const headers = { authorization: `Bearer ${product.token}` }
  const { posts } = v.parse(
    listPosts.reply,
    await (await fetch(`${product.url}/api/posts`, { headers })).json(),
  )
  const withPicture = posts.find(
    (it) => it.access.is === 'full' && it.access.media.some((one) => one.kind === 'image'),
  )
  if (!withPicture) throw new Error('the demo has no pictures')
  return ['/', `/post/${withPicture.id}`, `/profile/${withPicture.author.id}`]
}

interface Visit {
  /** Status of the document itself. */
  readonly status: number
  readonly scores: readonly number[]
  /** How long the main thread was blocked on Lighthouse's simulated phone, ms. */
  readonly blocked: number
  /** Benchmark index of the machine during the visit, by Lighthouse: below 1000 the machine had other work. */
  readonly machine: number
  /** The audits that lowered the score. */
  readonly failedAudits: readonly string[]
}

const requests = v.object({
  items: v.array(v.object({ statusCode: v.number(), resourceType: v.optional(v.string()) })),
})

function statusOf(details: unknown): number {
  const parsed = v.safeParse(requests, details)
  const page = parsed.success ? parsed.output.items.find((it) => it.resourceType === 'Document') : undefined
  return page?.statusCode ?? Number.NaN
}

const failedElements = v.object({ items: v.array(v.object({ node: v.object({ snippet: v.string() }) })) })

/** The first element that an audit reports. */
function firstElement(details: unknown): string {
  const found = v.safeParse(failedElements, details)
  return found.success ? (found.output.items[0]?.node.snippet ?? '') : ''
}

/** Lighthouse's default CPU slowdown, which simulates its phone on a machine of index 1533. */
const DEFAULT_SLOWDOWN = 4

/**
 * The slowdown that simulates the same phone on this machine, by the calculator of Lighthouse's documentation.
 * @param machine Lighthouse's benchmark index
 */
function slowdownFor(machine: number): number {
  if (machine >= 1300) return 3 + (machine - 1300) / 233
  return machine >= 800 ? 2 + (machine - 800) / 500 : 1 + (machine - 150) / 650
}

async function visit(url: string, port: number, slowdown: number): Promise<Visit> {
  const result = await lighthouse(url, {
    port,
    throttling: { cpuSlowdownMultiplier: slowdown },
    onlyCategories: [...categories],
    // Retains the session, since pages are measured signed in.
    disableStorageReset: true,
    logLevel: 'error',
  })
  if (!result) throw new Error('Lighthouse returned no result')
  const { lhr } = result
  const failedAudits = categories.flatMap((name) =>
    (lhr.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) =>
        `${id} ${lhr.audits[id]?.displayValue ?? ''} ${firstElement(lhr.audits[id]?.details)}`.trim(),
      ),
  )
  return {
    status: statusOf(lhr.audits['network-requests']?.details),
    scores: categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)),
    blocked: lhr.audits['total-blocking-time']?.numericValue ?? Number.NaN,
    machine: lhr.environment.benchmarkIndex,
    failedAudits,
  }
}

/** Signs in as the creator, whose home is then open, and waits until the demo's pictures are processed. */
export async function signIn(product: Product, { page }: RunningBrowser): Promise<void> {
  await page.goto(`${product.url}/login`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
  await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await page.waitForURL(`${product.url}/`)
  await product.quiet()
}

/** Visits each page `visits` times and prints the medians: with Lighthouse's own slowdown, then with this machine's. */
export async function printPages(
  url: string,
  port: number,
  paths: readonly string[],
  visits: number,
): Promise<void> {
  const columns = ['answered', ...categories, 'blocked, ms', 'machine', 'slowed']
  console.log(`${'page'.padEnd(50)}${columns.map((it) => it.padStart(16)).join('')}`)
  for (const path of paths) {
    const byDefault = await visitRepeatedly(url + path, port, visits, DEFAULT_SLOWDOWN)
    printVisits(path, byDefault, DEFAULT_SLOWDOWN)
    const slowdown = slowdownFor(median(byDefault.map((it) => it.machine)))
    printVisits(path, await visitRepeatedly(url + path, port, visits, slowdown), slowdown)
    for (const it of new Set(byDefault.flatMap((one) => one.failedAudits))) console.log(`  ${it}`)
  }
}

async function visitRepeatedly(
  url: string,
  port: number,
  visits: number,
  slowdown: number,
): Promise<Visit[]> {
  const all: Visit[] = []
  for (let n = 0; n < visits; n++) all.push(await visit(url, port, slowdown))
  return all
}

function printVisits(path: string, all: readonly Visit[], slowdown: number): void {
  const scores = categories.map((_, i) => median(all.map((it) => it.scores[i] ?? 0)))
  const [status = Number.NaN, ...rest] = (['status', 'blocked', 'machine'] as const).map((name) =>
    median(all.map((it) => it[name])),
  )
  const figures = [status, ...scores, ...rest].map((it) => String(Math.round(it)))
  console.log(
    path.padEnd(50) + [...figures, `${slowdown.toFixed(1)} times`].map((it) => it.padStart(16)).join(''),
  )
}

/** @param visits to each page */
export async function benchPages(visits = DEFAULT_VISITS): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const browser = await openBrowser()
  // A phone does not run the server and Lighthouse, so they have a lower priority than the page.
  setPriority(10)
  const product = await openProduct(data)
  try {
    await signIn(product, browser)
    await printPages(product.url, browser.port, await pagesOf(product), visits)
  } finally {
    await browser.close()
    await product.close()
    rmSync(data, { recursive: true, force: true })
  }
}
