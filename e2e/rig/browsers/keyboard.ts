// Moves the focus of a page with the Tab key.
import type { Page } from '@playwright/test'

/** Longest wait for an element in a page that is being drawn, ms. */
const TIMEOUT_MS = 15_000

/** Presses Tab until a control with this name has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
    await page.keyboard.press(key)
    if (name.test(await page.evaluate(focusedName))) return
  }
  throw new Error(`no ${key} leads to ${name}`)
}

/** Runs in the page: the accessible name of the focused control. */
export function focusedName(): string {
  const it = document.activeElement
  if (!it || it === document.body) return ''
  const labelledBy = it.getAttribute('aria-labelledby')?.split(' ') ?? []
  const named = labelledBy.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  const label = 'labels' in it ? (it as HTMLInputElement).labels?.[0]?.textContent : ''
  return (it.getAttribute('aria-label') || named || label || it.textContent || '').trim()
}
