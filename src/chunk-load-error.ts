// Handles a missing chunk, which means that a newer build exists.
import { getHealth } from '#contract/health.ts'
import { call } from './domain/api/api.ts'
import { mayReload } from './lib/reload-guard.ts'

/** Key in which TanStack Router records its own reloads, which this app replaces (section 9). */
const NOTED = 'tanstack_router_reload:'

/**
 * Reloads the page if the chunk belongs to a page that is being opened; else offers a reload. Typed text is stored on
 * the device. Where the server does not respond there is no new version, and a reload would lose the page: it shows its error.
 * @param isGoing whether the person is opening another page
 * @param offer offers the new version
 * @param reachServer rejects where our server does not respond
 */
export function handleMissingChunks(
  isGoing: () => boolean,
  offer: () => void,
  reachServer: () => Promise<unknown> = () => call(getHealth, {}),
): void {
  window.addEventListener('vite:preloadError', (event) => {
    sessionStorage.setItem(NOTED + event.payload.message, '1')
    // A browser that reports a network may be without a server or behind a captive portal.
    if (!navigator.onLine) return
    const reload = () => {
      if (mayReload(sessionStorage, Date.now())) location.reload()
    }
    void reachServer().then(isGoing() ? reload : offer, () => undefined)
  })
}
