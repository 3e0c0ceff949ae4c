// Presses keys and types, each time after what takes the key is there.
import { expect, type Locator, type Page } from '@playwright/test'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'

/** What takes the keys of the whole page while it is open. A toast has the role of a dialog, and leaves the keys to the page. */
const OVERLAY =
  '[role=dialog]:not([data-type]), [role=alertdialog]:not([data-type]), [role=menu], [role=listbox]'

/** Waits until the element, or one in it, has the focus. */
async function waitForFocus(element: Locator): Promise<void> {
  const hasFocus = () => element.evaluate((it) => it.contains(document.activeElement))
  await expect.poll(hasFocus, { message: `the focus on ${element.toString()}` }).toBe(true)
}

/** Presses a key once the element, or one in it, has the focus. */
export async function pressOn(element: Locator, key: string): Promise<void> {
  await waitForFocus(element)
  await element.page().keyboard.press(key)
}

/** Types characters once the element, or one in it, has the focus. */
export async function typeOn(element: Locator, characters: string): Promise<void> {
  await waitForFocus(element)
  await element.page().keyboard.type(characters)
}

/**
 * Presses a key that the whole page handles, once what it acts on is shown and no dialog or menu is left that would take the
 * key. @param shown an element of the page, or of the open dialog or menu itself
 */
export async function pressAnywhere(shown: Locator, key: string): Promise<void> {
  await expect(shown).toBeVisible()
  const page = shown.page()
  const isInOverlay = await shown.evaluate((it, overlay) => it.closest(overlay) !== null, OVERLAY)
  if (!isInOverlay) await expect(page.locator(OVERLAY)).toHaveCount(0)
  await page.keyboard.press(key)
}

/** Presses Tab once, where the next element with the focus is what the story is about. */
export async function pressTab(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(page.getByRole('main').or(page.getByRole('dialog')).first()).toBeVisible()
  await page.keyboard.press(key)
}

/** Presses Tab until a control with this name has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end;) {
    await page.keyboard.press(key)
    if (name.test(await page.evaluate(focusedName))) return
  }
  throw new Error(`no ${key} leads to ${name}`)
}

/** Presses Tab until a control with this name has the focus, then a key on it. */
export async function tabAndPress(page: Page, name: RegExp, key: string): Promise<void> {
  await tabTo(page, name)
  await pressFocused(page, name, key)
}

/** Presses Tab until a control with this name has the focus, then types into it. */
export async function tabAndType(page: Page, name: RegExp, characters: string): Promise<void> {
  await tabTo(page, name)
  await waitForFocusOn(page, name)
  await page.keyboard.type(characters)
}

/** Presses a key once a control with this name has the focus. */
export async function pressFocused(page: Page, name: RegExp, key: string): Promise<void> {
  await waitForFocusOn(page, name)
  await page.keyboard.press(key)
}

async function waitForFocusOn(page: Page, name: RegExp): Promise<void> {
  await expect.poll(() => page.evaluate(focusedName), { message: 'the control with the focus' }).toMatch(name)
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
