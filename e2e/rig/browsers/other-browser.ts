// Drives browsers that Playwright cannot, and writes the same post in each.
import type { Person } from '#e2e/rig/people/people.ts'
import { until } from '#e2e/rig/network/ports.ts'

/** A browser with a profile on disk: it can be killed with SIGKILL and started again as it was. Elements by XPath. */
export interface OtherBrowser {
  start(): Promise<void>
  /** The battery falls out. */
  kill(): Promise<void>
  goto(url: string): Promise<void>
  /** Waits for the element. */
  find(xpath: string): Promise<void>
  click(xpath: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  /** Gives a file to an input that may be invisible. */
  pick(xpath: string, path: string): Promise<void>
  /** Evaluates an expression in the page; promises are awaited. */
  ask<T>(expression: string): Promise<T>
  /** Stops it and deletes its profile. */
  discard(): Promise<void>
}

export const postButton = '//header//button[normalize-space()="投稿"]'

/** Signs in by the form; the home page is open after it, and the worker runs if there can be one. */
export async function signInWith(browser: OtherBrowser, url: string, person: Person): Promise<void> {
  await browser.goto(`${url}/login`)
  await browser.type('//main//input[@type="email"]', person.email)
  await browser.type('//main//input[@type="password"]', person.password)
  await browser.click('//main//button[@type="submit"]')
  await browser.find('//a[@href="/post/upload2"]')
  await browser.ask('navigator.serviceWorker?.ready.then(() => true)')
}

/** Clicks the link to the editor, one of two, as wide as the window is; false while neither is to be seen. */
const toEditor = `[...document.querySelectorAll('a[href="/post/upload2"]')]
  .filter((link) => link.getClientRects().length > 0)
  .slice(0, 1)
  .map((link) => link.click()).length === 1`

/** Writes a post with one file and presses 投稿; home is open after it. */
export async function publishWith(browser: OtherBrowser, content: string, file: string): Promise<void> {
  // By the link: a page that is left by its address while it reads the device's database leaves WebKit a
  // transaction that never ends, and the next page writes nothing.
  await until(async () => (await browser.ask<boolean>(toEditor)) || undefined, 'the link to the editor')
  await browser.type('//textarea', content)
  await browser.pick('//main//input[@type="file"]', file)
  await browser.find('//button[contains(@aria-label, "を外す")]')
  await browser.click(postButton)
  await browser.find(`//header[not(.//button[normalize-space()="投稿"])]`)
}
