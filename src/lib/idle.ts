// Defers work until the first page is drawn and the browser is idle.

/** Longest wait for an idle page, ms. */
const MAX_WAIT = 3000
/** Wait in Safari, which has no idle callback, ms. */
const FALLBACK_WAIT = 500

/** Resolves when the page is idle, after three seconds at the latest. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_WAIT })
    else setTimeout(resolve, FALLBACK_WAIT)
  })
}

let resolveShown = () => {}
const shown = new Promise<void>((resolve) => (resolveShown = resolve))

/** Called when the router has drawn the first page. */
export const firstPageShown = (): void => resolveShown()

/** Resolves when the first page is shown and idle, or after the longest wait. */
export async function afterFirstPage(): Promise<void> {
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, MAX_WAIT))])
  await whenIdle()
}

/** Resolves in a new task, after the input events that wait. */
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
