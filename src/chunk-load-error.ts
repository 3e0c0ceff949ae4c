// A part of the build that this page was loaded from is not to be had any more: there is a newer one.
import { getHealth } from '#contract/health.ts'
import { call } from './domain/api/api.ts'
import { mayReload } from './lib/reload-guard.ts'

/** TanStack Router reloads by itself, once for each message it notes here; the guard of section 9 is ours to keep. */
const NOTED = 'tanstack_router_reload:'

/**
 * Loads the page anew where the part was wanted for the page the person goes to; else offers it. What was written is on
 * the device. Without network there is nothing to load: the page then says so.
 * @param isGoing whether the person is on their way to another page
 * @param offer offers the new version
 * @param reachServer fails where our server does not answer
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
