// The script and worker URLs that this page may load under Trusted Types.

/** The service worker's files, and the file that `src/take-over.ts` opens. */
const files = new Set(['/sw.js', '/dev-sw.js', '/robots.txt'])

/** Whether a URL is one of the files above or a chunk of the build. */
const isOurs = (url: URL): boolean =>
  url.origin === location.origin && (files.has(url.pathname) || url.pathname.startsWith('/assets/'))

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): unknown
}

/**
 * Installs the default policy, which permits only the app's own files. HTML and script texts have no policy, so the
 * browser refuses them. Call it before a worker is started.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOurs(new URL(address, location.href)) ? address : null),
  })
}
