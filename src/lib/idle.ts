// Defers work until the page is idle: the first page is drawn before code for later is loaded.

/** Longest wait for a busy page, ms. */
const AT_LATEST = 3000
/** Time given to the page in Safari, which has no idle callback, ms. */
const MEANWHILE = 500

/** Resolves when the page is at rest, and in any case within three seconds. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: AT_LATEST })
    else setTimeout(resolve, MEANWHILE)
  })
}

let tellShown = () => {}
const shown = new Promise<void>((resolve) => (tellShown = resolve))

/** Once the router has drawn the first page. */
export const firstPageShown = (): void => tellShown()

/** Resolves when the first page is shown and idle, or after the longest wait. */
export async function afterFirstPage(): Promise<void> {
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, AT_LATEST))])
  await whenIdle()
}

/** Resolves in a new task: events of the person in between are handled first. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
