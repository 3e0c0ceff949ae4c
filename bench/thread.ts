// Measures jumps and nodes while a conversation of 100,000 messages is scrolled up.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { AUTH_COOKIE, AUTH_EXPIRY_COOKIE } from '#contract/accounts/session.ts'
import { openBrowser } from './rig/browser.ts'
import { fillMessages, idOf, LONGEST, readerToken } from './rig/message-data.ts'
import { openBenchPostgres } from './rig/postgres.ts'
import { openProduct } from './rig/product.ts'

/** Default number of messages to scroll past. */
const DEFAULT_MESSAGES = 10_000
const FIRST = 200
const GOAL_PX = 2
const HOUR_MS = 3600_000

interface Scrolled {
  /** Sequence number of the first message in view. */
  readonly seq: number
  /** Farthest that the first message in view moved between two scrolls, CSS pixels. */
  readonly jump: number
  /** Elements of the conversation. */
  readonly elements: number
  readonly pages: number
}

/**
 * Scrolls up by 900 px at a time until this message is in view. After each scroll, the first row in view is followed for six
 * frames, in which older messages are added, blocks become empty boxes, and boxes become blocks again.
 */
const scrollTo = (page: Page, seq: number): Promise<Scrolled> =>
  page.evaluate(async (wanted) => {
    const box = document.querySelector<HTMLElement>('[aria-label$="とのメッセージ"]')
    if (!box) throw new Error('no conversation')
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const firstRow = (): HTMLElement | undefined => {
      const { top } = box.getBoundingClientRect()
      return [...box.querySelectorAll<HTMLElement>('[data-seq]')].find(
        (it) => it.getBoundingClientRect().bottom > top,
      )
    }
    const seqOf = (row: HTMLElement | undefined) => Number(row?.dataset['seq'] ?? Number.NaN)
    let jump = 0
    let height = box.scrollHeight
    let pages = 0
    for (let stuck = 0; !(seqOf(firstRow()) <= wanted) && stuck < 600;) {
      const before = box.scrollTop
      box.scrollTop -= 900
      stuck = box.scrollTop === before ? stuck + 1 : 0
      await frame()
      const row = firstRow()
      // A row's day line goes when an older message of its day comes: its end is what stays.
      const end = row?.getBoundingClientRect().bottom ?? 0
      for (let n = 0; n < 6; n++) {
        await frame()
        if (row?.isConnected) jump = Math.max(jump, Math.abs(row.getBoundingClientRect().bottom - end))
      }
      if (box.scrollHeight > height + 500) pages += 1
      height = box.scrollHeight
    }
    return { seq: seqOf(firstRow()), jump, elements: box.querySelectorAll('*').length, pages }
  }, seq)

/** @param far number of messages to scroll past */
export async function benchThread(far = DEFAULT_MESSAGES): Promise<void> {
  const postgres = await openBenchPostgres()
  if (!postgres) return console.log('PostgreSQL: its programs are not here')
  const data = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const browser = await openBrowser()
  try {
    await (await openProduct(data, { DATABASE_URL: postgres.url })).close()
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await fillMessages((sql, values) => client.query(sql, values))
    await client.end()
    const product = await openProduct(data, { DATABASE_URL: postgres.url })
    await product.quiet()
    const { page } = browser
    await page.setViewportSize({ width: 390, height: 844 })
    const expires = Date.now() + 240 * HOUR_MS
    const cookie = (name: string, value: string) => ({
      name,
      value: encodeURIComponent(value),
      url: product.url,
      expires: expires / 1000,
      sameSite: 'Lax' as const,
    })
    await page
      .context()
      .addCookies([cookie(AUTH_COOKIE, `Bearer ${readerToken}`), cookie(AUTH_EXPIRY_COOKIE, String(expires))])
    await page.goto(`${product.url}/chat-messages/${idOf('other', 1)}`)
    await page.getByRole('article').first().waitFor()
    for (const past of [FIRST, far / 2, far]) {
      const { seq, jump, elements, pages } = await scrollTo(page, LONGEST - past)
      console.log(
        `${LONGEST - seq} messages up, ${pages} pages loaded: farthest jump ${jump.toFixed(1)} px (goal ${GOAL_PX}), ${elements} elements`,
      )
    }
    await product.close()
  } finally {
    await browser.close()
    await postgres.close()
    rmSync(data, { recursive: true, force: true })
  }
}
