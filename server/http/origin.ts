// Checks the origin of requests that change something.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { isServers } from './unknown-paths.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The host of an origin; undefined for `null` and whatever else is no address. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * Whether pages of an origin may call this host.
 * @param named origins beside the server's own
 */
export function isWelcomeOrigin(
  origin: string,
  host: string | undefined,
  named: ReadonlySet<string>,
): boolean {
  return named.has(origin) || hostOf(origin) === host
}

/**
 * Browsers name the page's origin with every call that changes something. Who names none is no page, unless the
 * browser says otherwise by Sec-Fetch-Site; its cookie alone then opens nothing (`session.ts`).
 */
function isWelcome({ headers, host }: FastifyRequest, named: ReadonlySet<string>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined) return isWelcomeOrigin(origin, host, named)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Refuses what another site's page makes a browser send.
 * @param origins beside the server's own, exactly as browsers write them
 */
export function checkOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const named = new Set(origins)
  app.addHook('onRequest', async (request) => {
    if (reading.has(request.method) || !isServers(request.url)) return
    if (!isWelcome(request, named)) throw new ApiError('forbidden_origin')
  })
}
