// Precaches the app shell at install, so that the app starts without network.
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { SHARE_PATH } from '#contract/paths.ts'
import { storeShared } from '#device/drafts/shared.ts'
import { allowHeicFrame } from './heic-frame.ts'
import { notShell } from './not-shell.ts'
import { requestedPicture, servePicture, type PicturePorts } from './pictures.ts'
import { receiveShare } from './share.ts'

/**
 * Serves the built files from the cache, and index.html for every address of the app.
 * @param hasWasm whether the browser has WebAssembly
 */
export function serveShell(
  manifest: (PrecacheEntry | string)[],
  { hasWasm, origin }: { hasWasm: boolean; origin: string },
): void {
  if (manifest.length === 0) return
  addPlugins([{ cacheWillUpdate: async (it) => keptFile(manifest, it) }])
  precacheAndRoute(manifest)
  cleanupOutdatedCaches()
  const shell = createHandlerBoundToURL('/index.html')
  const handler: typeof shell = hasWasm
    ? shell
    : async (options) => allowHeicFrame(await shell(options), origin)
  registerRoute(new NavigationRoute(handler, { denylist: notShell }))
}

/** Content types by the end of a file's name; others must only not be pages. */
const types: Readonly<Record<string, RegExp>> = { js: /javascript/, css: /css/ }

/**
 * The response if it may be cached; null fails the installation, so that no version is installed with a captive portal's
 * page in it. The app's own page is known by a script of the same build that it names.
 */
async function keptFile(
  manifest: readonly (PrecacheEntry | string)[],
  { request, response }: { request: Request; response: Response },
): Promise<Response | null> {
  if (response.status >= 400 || response.redirected) return null
  const type = response.headers.get('content-type') ?? ''
  const end = new URL(request.url).pathname.split('.').at(-1) ?? ''
  if (end !== 'html') return (types[end] ?? /^(?!text\/html)/).test(type) ? response : null
  const page = await response.clone().text()
  const urls = manifest.map((it) => (typeof it === 'string' ? it : it.url))
  const isOfBuild = urls.some((it) => it.endsWith('.js') && page.includes(it))
  return isOfBuild ? response : null
}

/** Takes what other apps share with this one from here on. */
export function serveShares(): void {
  const isShare = ({ url, sameOrigin }: { url: URL; sameOrigin: boolean }) =>
    sameOrigin && url.pathname === SHARE_PATH
  registerRoute(isShare, ({ request }) => receiveShare(request, (it) => storeShared(it, Date.now())), 'POST')
}

/** Keeps the pictures of what is read, and shows them where the server is away. */
export function servePictures(ports: PicturePorts): void {
  const isRequested = ({ request, url, sameOrigin }: { request: Request; url: URL; sameOrigin: boolean }) =>
    sameOrigin && requestedPicture(request, url)
  registerRoute(isRequested, ({ request, url, event }) => {
    const name = requestedPicture(request, url)
    return name ? servePicture(ports, request, name, (work) => event.waitUntil(work)) : fetch(request)
  })
}
