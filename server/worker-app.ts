// The HTTP application of a process that only runs jobs: probes and metrics.
import type { FastifyInstance } from 'fastify'
import { newApp } from './app.ts'
import type { Deps } from './deps.ts'
import { handleErrors, refuseWhileDraining } from './http/errors.ts'
import { limitTimes } from './http/time-limits.ts'
import { recordRoutes } from './http/unknown-paths.ts'
import { probeRoutes } from './modules/health/routes.ts'
import { metricsRoute } from './modules/metrics/route.ts'

/** Every other path is answered 404: a load balancer that sends requests by mistake shows no page of a server without the app. */
export function buildWorkerApp(deps: Deps): FastifyInstance {
  const app = newApp(deps)
  limitTimes(app, deps.settings.timeLimits)
  handleErrors(app)
  refuseWhileDraining(app, deps.draining)
  const unknown = recordRoutes(app)
  probeRoutes(app, deps)
  metricsRoute(app, deps)
  app.setNotFoundHandler((request, reply) => unknown(request, reply))
  return app
}
