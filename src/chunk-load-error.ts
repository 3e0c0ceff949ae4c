// Handles a missing chunk of the build that this page was loaded from: a newer build exists.
import { getHealth } from '#contract/health.ts'
import { call } from './domain/api/api.ts'
import { mayReload } from './lib/reload-guard.ts'

/** TanStack Router reloads by itself, once for each message it notes here; the guard of section 9 is ours to keep. */
const NOTED = 'tanstack_router_reload:'

/**
 * Reloads the page if the chunk belongs to the page that the person is opening; else offers a reload. Typed text is on
 * the device. Without network a reload would fail: the page shows that instead.
 * @param isGoing whether the person is opening another page
 * @param offer offers the new version
 * @param reachServer rejects where our server does not respond
 */
export function followLostParts(
  isGoing: () => boolean,
  offer: () => void,
  reachServer: () => Promise<unknown> = () => call(getHealth, {}),
): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine) return
    // A browser that thinks itself online may be without a server all the same, or behind a captive portal: then
    // nothing new is there.
    if (!isGoing()) return void reachServer().then(offer, () => undefined)
    sessionStorage.setItem(NOTED + event.payload.message, '1')
    if (!mayReload(sessionStorage, Date.now())) return
    event.preventDefault()
    location.reload()
  })
}
