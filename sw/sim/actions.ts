// What people do with a simulated browser, and when a story's faults begin and end.
import type { Session } from '#device/database/schema.ts'
import type { Page } from './browser/page.ts'
import type { World } from './world.ts'

export const START = Date.parse('2026-03-05T03:00:00Z')
export const FAULTS_MS = 4 * 60_000

/** Runs the action of a person in a tab; the end of the tab, or an error of the device, ends the action. */
export async function inTab<T>(world: World, work: (tab: Page) => Promise<T>): Promise<T | undefined> {
  const tab = world.browser.anyTab()
  try {
    return (await Promise.race([work(tab), tab.ended])) as T | undefined
  } catch (error) {
    if (!(error instanceof DOMException)) world.inspector.reportError(error)
    // An old build whose database was upgraded reloads its page.
    if (error instanceof DOMException && error.name === 'VersionError') tab.kill()
    return undefined
  }
}

/** Signs a person in on the device. */
export async function signIn(world: World, person: string): Promise<void> {
  const token = world.server.signIn(person)
  const user = { id: person, email: 'a@example.com', name: 'a', avatar_url: null, role: 'member' as const }
  const session: Session = { token, user }
  await inTab(world, (tab) => tab.product.saveSession(session))
  world.browser.postMessage('deliver')
}

/** Advances virtual time until the work is done. */
export function runUntilDone({ timeline }: World, work: () => Promise<unknown>): Promise<unknown> {
  let isDone = false
  void work().finally(() => (isDone = true))
  return timeline.run(() => isDone, timeline.now() + 60_000)
}

/** Runs work that ends the session on purpose. */
export async function duringSignOut(world: World, work: () => Promise<unknown>): Promise<void> {
  world.signOutsInProgress++
  try {
    await work()
  } finally {
    world.signOutsInProgress--
  }
}

/** Clears the data of the site, as a browser does to make room. */
export function evictSite({ inspector, browser, copied }: World): void {
  inspector.onSiteCleared()
  copied.clear()
  browser.disk.evict()
}
