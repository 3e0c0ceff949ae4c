// Which scripts and workers this page may load by address, where browsers enforce Trusted Types.

/** The service worker in a build and in development, and what `src/take-over.ts` opens, which is no script. */
const files = new Set(['/sw.js', '/dev-sw.js', '/robots.txt'])

/** A file named above, or a built part of the app. */
const isOurs = (url: URL): boolean =>
  url.origin === location.origin && (files.has(url.pathname) || url.pathname.startsWith('/assets/'))

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
