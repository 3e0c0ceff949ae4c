// `/metrics` on the port of the app, for a token. Without one the path does not exist.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { createScrape, mayScrape } from './scrape.ts'

export const METRICS_PATH = '/metrics'

export function metricsRoute(app: FastifyInstance, deps: Deps): void {
  const token = deps.settings.metricsToken
  const scrape = token === '' ? undefined : createScrape(deps)
  if (!scrape) return
  app.get(METRICS_PATH, { exposeHeadRoute: false }, async ({ headers }, reply) => {
    if (!mayScrape(headers.authorization, token)) {
      reply.header('www-authenticate', 'Bearer')
      throw new ApiError('unauthenticated')
    }
    return reply
      .header('cache-control', 'no-store')
      .type(scrape.contentType)
      .send(await scrape.text())
  })
}
