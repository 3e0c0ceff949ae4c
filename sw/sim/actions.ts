// What people do with a simulated browser, and when a story's faults begin and end.
import type { Session } from '#device/database/schema.ts'
import type { Page } from './browser/page.ts'
import type { World } from './world.ts'

export const START = Date.parse('2026-03-05T03:00:00Z')
export const FAULTS_MS = 4 * 60_000

/** Someone does something in a tab; a tab that is gone, or a device that says no, ends it. */
export async function inTab<T>(world: World, work: (tab: Page) => Promise<T>): Promise<T | undefined> {
  const tab = world.browser.anyTab()
  try {
    return (await Promise.race([work(tab), tab.gone])) as T | undefined
  } catch (error) {
    if (!(error instanceof DOMException)) world.inspector.defect(error)
    // An old build whose database is newer now reloads itself.
    if (error instanceof DOMException && error.name === 'VersionError') tab.die()
    return undefined
  }
}

/** A person signs in on the device. */
export async function signIn(world: World, person: string): Promise<void> {
  const token = world.server.signIn(person)
  const user = { id: person, email: 'a@example.com', name: 'a', avatar_url: null, role: 'member' as const }
  const session: Session = { token, user }
  await inTab(world, (tab) => tab.product.saveSession(session))
  world.browser.say('deliver')
}

/** Lets time pass until this is done. */
export function runUntilDone({ timeline }: World, work: () => Promise<unknown>): Promise<unknown> {
  let done = false
  void work().finally(() => (done = true))
  return timeline.run(() => done, timeline.now() + 60_000)
}

/** Ends a session on purpose. */
export async function duringSignOut(world: World, work: () => Promise<unknown>): Promise<void> {
  world.leaving++
  try {
    await work()
  } finally {
    world.leaving--
  }
}

/** The browser clears the site's data. */
export function evictSite({ inspector, browser, copied }: World): void {
  inspector.cleared()
  copied.clear()
  browser.disk.evict()
}
