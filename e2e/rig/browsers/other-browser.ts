// The interface of browsers that Playwright does not drive, with sign-in and publishing.
import type { Person } from '#e2e/rig/people/people.ts'
import { until } from '#e2e/rig/network/ports.ts'

/** A browser with a profile on disk, which can be killed and started again. Elements are found by XPath. */
export interface OtherBrowser {
  start(): Promise<void>
  /** Kills the browser with SIGKILL, as an empty battery would. */
  kill(): Promise<void>
  goto(url: string): Promise<void>
  /** Waits for the element. */
  find(xpath: string): Promise<void>
  click(xpath: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  /** Sets the file of an input, which may be invisible. */
  pick(xpath: string, path: string): Promise<void>
  /** Evaluates an expression in the page; promises are awaited. */
  evaluate<T>(expression: string): Promise<T>
  /** Stops it and deletes its profile. */
  discard(): Promise<void>
}

export const postButton = '//header//button[normalize-space()="投稿"]'

/** Signs in by the form, until the home page is open and the worker is ready, if the browser has workers. */
export async function signInWith(browser: OtherBrowser, url: string, person: Person): Promise<void> {
  await browser.goto(`${url}/login`)
  await browser.type('//main//input[@type="email"]', person.email)
  await browser.type('//main//input[@type="password"]', person.password)
  await browser.click('//main//button[@type="submit"]')
  await browser.find('//a[@href="/post/upload2"]')
  await browser.evaluate('navigator.serviceWorker?.ready.then(() => true)')
}

/** Clicks the visible one of two links to the editor, which depends on the window's width; false if none is visible. */
const toEditor = `[...document.querySelectorAll('a[href="/post/upload2"]')]
  .filter((link) => link.getClientRects().length > 0)
  .slice(0, 1)
  .map((link) => link.click()).length === 1`

/** Writes a post with one file, presses 投稿 and waits until the editor has closed. */
export async function publishWith(browser: OtherBrowser, content: string, file: string): Promise<void> {
  // Opens the editor by its link. If a page is unloaded while it reads the database, WebKit never ends the
  // transaction, and the next page cannot write.
  await until(async () => (await browser.evaluate<boolean>(toEditor)) || undefined, 'the link to the editor')
  await browser.type('//textarea', content)
  await browser.pick('//main//input[@type="file"]', file)
  await browser.find('//button[contains(@aria-label, "を外す")]')
  await browser.click(postButton)
  await browser.find(`//header[not(.//button[normalize-space()="投稿"])]`)
}
