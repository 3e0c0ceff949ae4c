// Health route: whether database and storage respond, and the delay of the event loop.
import type { FastifyInstance } from 'fastify'
import { getHealth } from '#contract/health.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { createProbe } from './probe.ts'

export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  const probe = createProbe({
    database: () => deps.database.ping(),
    storage: () => deps.storage.objects.probe(),
    // Not `deps.clock`: the clock of a test does not advance by itself.
    clock: Date.now,
  })
  app.get(API_BASE + getHealth.path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { database, storage, at, stale } = await probe()
    if (!database || !storage) {
      request.log.error({ database, storage }, 'unhealthy')
      throw new ApiError('unavailable')
    }
    const draining = deps.draining.now
    return reply.code(draining ? 503 : 200).send({
      status: draining ? 'draining' : 'ok',
      database: 'ok',
      storage: 'ok',
      room: (await deps.storage.room.isLow()) ? 'low' : 'ok',
      media_sandbox: deps.mediaSandbox,
      checked_at: new Date(at).toISOString(),
      stale,
      event_loop_ms: deps.eventLoop.delay(),
    })
  })
}
