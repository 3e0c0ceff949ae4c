// The app is opened again from the home screen while it is open already: it comes to the front, where it was.

/** TypeScript's library does not know the launch queue (manifest: launch_handler). */
export interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string | null }) => void): void
}

/**
 * The page a launch wants; undefined where the app shall stay as it is: the icon itself names no page.
 * @param here the address of the page that is open
 */
export function launchedPath(target: string | null | undefined, here: string): string | undefined {
  if (!target || !URL.canParse(target, here)) return undefined
  const [wanted, now] = [new URL(target, here), new URL(here)]
  if (wanted.origin !== now.origin) return undefined
  const path = wanted.pathname + wanted.search + wanted.hash
  return path === '/' || path === now.pathname + now.search + now.hash ? undefined : path
}

/** Follows every launch of the app for which no new window was opened. */
export function followLaunches(go: (path: string) => void): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    const path = launchedPath(targetURL, location.href)
    if (path !== undefined) go(path)
  })
}
