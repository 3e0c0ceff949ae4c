// Measures every request of a known route.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'

/**
 * Records each reply by its method and the pattern of its route, so that no id is remembered. The machine page and Prometheus get the
 * same times.
 */
export function measureRequests(
  app: FastifyInstance,
  { meters, metrics }: Pick<Deps, 'meters' | 'metrics'>,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const [route, ms] = [routeOptions.url, reply.elapsedTime]
    if (route !== undefined) meters.requests.record(`${method} ${route}`, ms)
    metrics.request({ method, route, status: reply.statusCode, ms })
  })
}
