// Handles a launch from the home screen while the app is already open.

/** The launch queue (manifest: launch_handler), which TypeScript's library does not declare. */
export interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string | null }) => void): void
}

/**
 * The page that a launch opens; undefined where the open page stays. The app's icon opens no page.
 * @param here the URL of the open page
 */
export function launchedPath(target: string | null | undefined, here: string): string | undefined {
  if (!target || !URL.canParse(target, here)) return undefined
  const [requested, now] = [new URL(target, here), new URL(here)]
  if (requested.origin !== now.origin) return undefined
  const path = requested.pathname + requested.search + requested.hash
  return path === '/' || path === now.pathname + now.search + now.hash ? undefined : path
}

/** Calls `go` at each launch that opens another page in this window. */
export function listenForLaunches(go: (path: string) => void): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    const path = launchedPath(targetURL, location.href)
    if (path !== undefined) go(path)
  })
}
