// A new version of the app's worker, which a story has deployed.
import type { Page } from '@playwright/test'

/**
 * Installs the deployed version. The browser may still be checking for the version before it, and answers a second check with
 * the result of the first: the check is repeated until a worker is found.
 * @returns the state of the worker when its installation has ended; an update begun by the browser counts too
 */
export const installNewVersion = (page: Page): Promise<ServiceWorkerState> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    let worker = registration.installing ?? registration.waiting
    registration.addEventListener('updatefound', () => (worker ??= registration.installing))
    while (!worker) {
      await registration.update()
      worker ??= registration.installing ?? registration.waiting
    }
    while (worker.state === 'installing')
      await new Promise((done) => worker?.addEventListener('statechange', done, { once: true }))
    return worker.state
  })
