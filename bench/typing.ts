// Kills the browser repeatedly while a post is written, and counts lost characters.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { openBrowser } from './rig/browser.ts'
import { RecordingProxy } from './rig/recording-proxy.ts'
import { openProduct } from './rig/product.ts'
import { openEditor } from './rig/upload-methods.ts'

/** Pause between two characters, ms: a person types more slowly. */
const PAUSE_MS = 30
/** Longest random delay of a kill, ms. */
const LONGEST_MS = 1500
const GOAL_MS = 300
const alphabet = 'abcdefghijklmnopqrstuvwxyz'

interface TypedCharacter {
  readonly character: string
  /** When the page received the character, ms since 1970. */
  readonly at: number
}

/** Types until the page has been closed. */
async function typeUntilKilled(page: Page): Promise<TypedCharacter[]> {
  const typed: TypedCharacter[] = []
  for (let n = 0; ; n++) {
    const character = alphabet[n % alphabet.length] ?? ''
    try {
      await page.keyboard.insertText(character)
    } catch {
      return typed
    }
    typed.push({ character, at: Date.now() })
    await sleep(PAUSE_MS)
  }
}

const fieldOf = (page: Page) => page.getByRole('textbox', { name: '本文' })

/** Age of the oldest character that is missing when the browser is killed, ms; 0 when none is. */
function oldestMissing(typed: readonly TypedCharacter[], found: string, killedAt: number): number {
  const expected = typed.map((it) => it.character).join('')
  if (!expected.startsWith(found) && !found.startsWith(expected)) return Number.POSITIVE_INFINITY
  const first = typed[found.length]
  return first ? Math.max(0, killedAt - first.at) : 0
}

/** @param kills number of kills; 100 by default */
export async function benchTyping(kills = 100): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const proxy = await RecordingProxy.to(Number(new URL(product.url).port))
  let browser = await openBrowser()
  const ages: number[] = []
  let typedCount = 0
  try {
    await openEditor(browser.page, proxy)
    for (let n = 0; n < kills; n++) {
      await fieldOf(browser.page).fill('')
      await browser.page.waitForTimeout(500)
      await fieldOf(browser.page).focus()
      const typing = typeUntilKilled(browser.page)
      await sleep(500 + Math.random() * LONGEST_MS)
      const killedAt = Date.now()
      const profile = await browser.kill()
      const typed = await typing
      typedCount += typed.length
      browser = await openBrowser(profile)
      await browser.page.goto(`${proxy.url}/post/upload2`)
      await fieldOf(browser.page).waitFor()
      const found = await fieldOf(browser.page).inputValue()
      ages.push(oldestMissing(typed, found, killedAt))
    }
    const sorted = ages.toSorted((a, b) => a - b)
    const worst = sorted.at(-1) ?? 0
    const late = ages.filter((it) => it > GOAL_MS).length
    console.log(`${kills} SIGKILLs of the browser while a post was written, one letter every ${PAUSE_MS} ms (${typedCount} letters)
oldest missing letter            median ${sorted[sorted.length >> 1]} ms, worst ${worst} ms   (goal: ${GOAL_MS} ms)
kills with older letters missing ${late}   (goal: 0)`)
    if (late > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await proxy.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
