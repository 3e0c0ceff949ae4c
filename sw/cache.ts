// Precaches the app shell at install, so that the app starts without network.
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { PAGE_NOT_FOUND, type Pages } from '#contract/pages.ts'
import { SHARE_PATH } from '#contract/paths.ts'
import { storeShared } from '#device/drafts/shared.ts'
import { allowHeicFrame } from './heic-frame.ts'
import { notShell } from './not-shell.ts'
import { requestedPicture, servePicture, type PicturePorts } from './pictures.ts'
import { receiveShare } from './share.ts'

interface ShellFacts {
  /** Whether the browser has WebAssembly. */
  readonly hasWasm: boolean
  readonly origin: string
  /** The pages of the build; undefined in development, where every address counts as one. */
  readonly pages: Pages | undefined
}

/** Serves the built files from the cache, and index.html for every address of the app: with status 404 for one without a page. */
export function serveShell(
  manifest: (PrecacheEntry | string)[],
  { hasWasm, origin, pages }: ShellFacts,
): void {
  if (manifest.length === 0) return
  addPlugins([{ cacheWillUpdate: async (it) => cacheableResponse(manifest, it) }])
  precacheAndRoute(manifest)
  cleanupOutdatedCaches()
  const shell = createHandlerBoundToURL('/index.html')
  const handler: typeof shell = async (options) => {
    const page = await shell(options)
    const named = pages && pages.patternOf(options.url.pathname) === undefined ? notFound(page) : page
    return hasWasm ? named : allowHeicFrame(named, origin)
  }
  registerRoute(new NavigationRoute(handler, { denylist: notShell }))
}

/** The same page with the status of an unknown address, as the server sends it. */
const notFound = ({ body, headers }: Response): Response =>
  new Response(body, { status: 404, statusText: PAGE_NOT_FOUND, headers })

/** The required content type by file extension; other files may have any but HTML. */
const requiredTypes: Readonly<Record<string, RegExp>> = { js: /javascript/, css: /css/ }

/**
 * Returns the response if it may be cached. Null fails the installation, so that no version is installed with the page of
 * a captive portal in it. The app's own page is recognised by a script of the same build that it names.
 */
async function cacheableResponse(
  manifest: readonly (PrecacheEntry | string)[],
  { request, response }: { request: Request; response: Response },
): Promise<Response | null> {
  if (response.status >= 400 || response.redirected) return null
  const type = response.headers.get('content-type') ?? ''
  const extension = new URL(request.url).pathname.split('.').at(-1) ?? ''
  if (extension !== 'html')
    return (requiredTypes[extension] ?? /^(?!text\/html)/).test(type) ? response : null
  const page = await response.clone().text()
  const urls = manifest.map((it) => (typeof it === 'string' ? it : it.url))
  const isOfBuild = urls.some((it) => it.endsWith('.js') && page.includes(it))
  return isOfBuild ? response : null
}

/** Registers the share target, which receives what other apps share with this one. */
export function serveShares(): void {
  const isShare = ({ url, sameOrigin }: { url: URL; sameOrigin: boolean }) =>
    sameOrigin && url.pathname === SHARE_PATH
  registerRoute(isShare, ({ request }) => receiveShare(request, (it) => storeShared(it, Date.now())), 'POST')
}

/** Registers the handler of pictures, which stores them and serves stored ones when the server is unavailable. */
export function servePictures(ports: PicturePorts): void {
  const isRequested = ({ request, url, sameOrigin }: { request: Request; url: URL; sameOrigin: boolean }) =>
    sameOrigin && requestedPicture(request, url)
  registerRoute(isRequested, ({ request, url, event }) => {
    const name = requestedPicture(request, url)
    return name ? servePicture(ports, request, name, (work) => event.waitUntil(work)) : fetch(request)
  })
}
