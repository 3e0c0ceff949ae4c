// Compares requests that blocked the event loop, before and after their fix.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOut } from './rig/servers/earlier-tree.ts'
import { openProduct, type Product } from './rig/product.ts'

/** Requests of a kind at once. */
const AT_ONCE = 50
const ROUNDS = 3
/** Interval between requests of /api/health, ms. */
const POLL_MS = 5
/** The last commit before the fixes, by default. */
const BASE = process.env['STOPPERS_BASE'] ?? '485185e'

type Send = (product: Product, n: number) => Promise<Response>

const withToken = ({ token }: Product) => ({ authorization: `Bearer ${token}` })

function picture(): FormData {
  const form = new FormData()
  form.set('type', '1')
  // Twice as many bytes took eight times as long: 50 files of 4 kB blocked the process for two minutes.
  const bytes = '<!DOCTYPE svg '.repeat(146)
  form.set('image_file[]', new File([bytes], 'a.svg'))
  return form
}

const stoppers: Record<string, Send> = {
  'a path of 15 kB': ({ url }, n) => fetch(`${url}/api/${n}${'a'.repeat(15_000)}`),
  'a path of 15 kB with %40': ({ url }, n) => fetch(`${url}/api/${n}${'a%40'.repeat(3750)}`),
  'a picture of 2 kB': (product) =>
    fetch(`${product.url}/api/post/add`, { method: 'POST', headers: withToken(product), body: picture() }),
  'a profile of 16,000 marks': (product) =>
    fetch(`${product.url}/api/profile`, {
      method: 'PUT',
      headers: { ...withToken(product), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a', handle: '', links: [], bio: `a${'\u0301\u0327'.repeat(8000)}` }),
    }),
}

/** The longest reply time of health while `work` ran, ms. */
async function longestHealth(url: string, work: () => Promise<unknown>): Promise<number> {
  const state = { running: true }
  let longest = 0
  const watch = async (): Promise<void> => {
    while (state.running) {
      const began = performance.now()
      await (await fetch(`${url}/api/health`)).arrayBuffer()
      longest = Math.max(longest, performance.now() - began)
      await new Promise((done) => setTimeout(done, POLL_MS))
    }
  }
  const watching = watch()
  await work()
  state.running = false
  await watching
  return longest
}

async function burst(product: Product, send: Send): Promise<{ health: number; statuses: string }> {
  const statuses = new Set<number>()
  const one = async (_: unknown, n: number): Promise<void> => {
    const reply = await send(product, n)
    await reply.arrayBuffer()
    statuses.add(reply.status)
  }
  const health = await longestHealth(product.url, () => Promise.all(Array.from({ length: AT_ONCE }, one)))
  await product.quiet()
  return { health, statuses: [...statuses].join(' ') }
}

const spread = (all: readonly number[]): string => {
  const sorted = all.toSorted((a, b) => a - b).map((it) => (it < 10 ? it.toFixed(1) : it.toFixed(0)))
  return `${sorted[0]}, ${sorted[Math.floor(sorted.length / 2)]}, ${sorted.at(-1)}`
}

export async function benchStoppers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-stoppers-'))
  const tree = checkOut(BASE)
  const env = { LOG_LEVEL: 'info' }
  const before = await openProduct(join(folder, 'before'), env, tree.folder)
  const after = await openProduct(join(folder, 'after'), env)
  console.log(
    `longest answer of health, ms, while ${AT_ONCE} of each come at once: min, median, max of ${ROUNDS}`,
  )
  try {
    for (const product of [before, after]) await product.quiet()
    for (const [name, send] of Object.entries(stoppers)) {
      const figures = { before: [] as number[], after: [] as number[], ratio: [] as number[] }
      let statuses = ''
      for (let round = 0; round < ROUNDS; round++) {
        const baseResult = await burst(before, send)
        const current = await burst(after, send)
        figures.before.push(baseResult.health)
        figures.after.push(current.health)
        figures.ratio.push(baseResult.health / current.health)
        statuses = `answered ${baseResult.statuses}; ${current.statuses}`
      }
      const { before: first, after: then, ratio } = figures
      console.log(
        `  ${name}: before ${spread(first)}; after ${spread(then)}; ratio ${spread(ratio)}; ${statuses}`,
      )
    }
  } finally {
    await before.close()
    await after.close()
    tree.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
