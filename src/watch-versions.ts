// Notices each version of the service worker that waits, however its installation began.

/** What is needed of a `ServiceWorkerRegistration`. */
export interface Registration extends EventTarget {
  readonly installing: EventTarget | null
  readonly waiting: unknown
}

/**
 * Calls back for each version that waits. workbox-window stops checking after the second one of a page, and counts failed
 * installations.
 * @param onWaiting may be called several times for one version
 */
export function watchVersions(registration: Registration, onWaiting: () => void): void {
  const check = () => {
    if (registration.waiting) onWaiting()
  }
  // Another tab may have begun the installation before this page listened, and one may be over when its event arrives.
  const watch = () => {
    registration.installing?.addEventListener('statechange', check)
    check()
  }
  registration.addEventListener('updatefound', watch)
  watch()
}
