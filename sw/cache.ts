// The shell on the device: precached at install, so that the app starts with no network.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Addresses that are the server's and never the shell's. */
const notShell = [
  /^\/api(\/|$)/,
  /^\/(robots\.txt|sitemap)/,
  /^\/upload-chunking-2(\/|$)/,
  /^\/ws(\/|$)/,
  /^\/dev\/mail(\/|$)/,
]

/** Serves the built files from the cache, and index.html for every address of the app. */
export function serveShell(manifest: (PrecacheEntry | string)[]): void {
  if (manifest.length === 0) return
  precacheAndRoute(manifest)
  cleanupOutdatedCaches()
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: notShell }))
}
