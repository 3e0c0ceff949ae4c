// Checks the origin of requests that change something.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { isServerPath } from './unknown-paths.ts'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The host of an origin; undefined for `null` and other texts that are not URLs. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * Whether pages of an origin may call this host.
 * @param configured further origins than the server's own
 */
export function isAllowedOrigin(
  origin: string,
  host: string | undefined,
  configured: ReadonlySet<string>,
): boolean {
  return configured.has(origin) || hostOf(origin) === host
}

/**
 * Whether a request that changes something is allowed. Browsers send the page's origin with it. A request without one is
 * not from a page, unless Sec-Fetch-Site shows another site.
 */
function isAllowed({ headers, host }: FastifyRequest, configured: ReadonlySet<string>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined) return isAllowedOrigin(origin, host, configured)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Refuses requests that pages of other sites make a browser send.
 * @param origins further origins than the server's own, exactly as browsers write them
 */
export function checkOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const configured = new Set(origins)
  app.addHook('onRequest', async (request) => {
    if (readingMethods.has(request.method) || !isServerPath(request.url)) return
    if (!isAllowed(request, configured)) throw new ApiError('forbidden_origin')
  })
}
