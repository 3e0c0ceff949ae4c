// What can wait until the page has nothing to do: the first page is drawn before what merely stands ready for later.

/** Nobody waits longer than this for a busy page, ms. */
const AT_LATEST = 3000
/** What Safari, which does not tell when it is idle, is given for the page, ms. */
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

/** Resolves when the first page stands and is at rest; one that does not come is not waited for. */
export async function afterFirstPage(): Promise<void> {
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, AT_LATEST))])
  await whenIdle()
}

/** Resolves in a task of its own: what a person did meanwhile is heard before it goes on. */
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
