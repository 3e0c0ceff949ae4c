// Refuses requests of the API while the event loop is late.
import type { FastifyInstance } from 'fastify'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { ApiError, isHealthUrl } from '#server/http/errors.ts'
import { isServerPath } from '#server/http/unknown-paths.ts'

/** Least time after which a refused request is tried again, s; up to as much is added, so that devices do not return together. */
const RETRY_AFTER = 5

interface Ports {
  /** How late the event loop is, ms. */
  readonly late: () => number
  /** Lateness above which requests are refused, ms; 0: none is. */
  readonly limit: number
  readonly refused: () => void
}

/** A supervisor would restart a server that does not answer. A provider of payments may not repeat its notices for as long as it would have to. */
const isAlwaysAnswered = (url: string): boolean =>
  isHealthUrl(url) || url.startsWith(`${PAYMENT_NOTICES_PATH}/`)

/**
 * Call it before limits and authentication, which cost time. The body of a refused request is not read. The app's files, its pages and
 * metrics are not refused.
 */
export function refuseWhileOverloaded(app: FastifyInstance, { late, limit, refused }: Ports): void {
  if (limit === 0) return
  app.addHook('onRequest', (request, reply, done) => {
    if (late() <= limit || !isServerPath(request.url) || isAlwaysAnswered(request.url)) return done()
    refused()
    reply.header('retry-after', RETRY_AFTER + Math.floor(Math.random() * (RETRY_AFTER + 1)))
    done(new ApiError('unavailable'))
  })
}
