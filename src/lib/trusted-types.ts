// Which scripts and workers this page may load by address, where browsers enforce Trusted Types.

/** The worker of the app in a build and in development, and the built parts. */
const isOurs = (url: URL): boolean =>
  url.origin === location.origin &&
  (url.pathname === '/sw.js' || url.pathname === '/dev-sw.js' || url.pathname.startsWith('/assets/'))

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): unknown
}

/**
 * Installs the policy that browsers ask for every address of a script or worker. It permits the app's own files; HTML
 * and script texts have no policy and are refused. Call before anything starts a worker.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOurs(new URL(address, location.href)) ? address : null),
  })
}
