// Measures every request of a known route.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'

/** Records each reply by its method and the pattern of its route, so that no id is remembered. */
export function measureRequests(app: FastifyInstance, times: Deps['meters']['requests']): void {
  app.addHook('onResponse', async (request, reply) => {
    const pattern = request.routeOptions.url
    if (pattern !== undefined) times.record(`${request.method} ${pattern}`, reply.elapsedTime)
  })
}
