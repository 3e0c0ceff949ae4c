// Health: asks the database and writes to the data folder each time.
import type { FastifyInstance } from 'fastify'
import { getHealth } from '#contract/health.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'

/** Longest a probe may take before it counts as failing, ms. */
const PATIENCE = 3000

async function works(probe: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, PATIENCE, false).unref())
  const answered = probe.then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late])
}

export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(API_BASE + getHealth.path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const [database, storage] = await Promise.all([works(deps.database.ping()), works(deps.files.probe())])
    if (!database || !storage) {
      request.log.error({ database, storage }, 'unhealthy')
      throw new ApiError('unavailable')
    }
    const status = deps.draining.now ? 'draining' : 'ok'
    const room = (await deps.files.room.isLow()) ? 'low' : 'ok'
    return reply.code(deps.draining.now ? 503 : 200).send({
      status,
      database: 'ok',
      storage: 'ok',
      room,
      media_sandbox: deps.mediaSandbox,
    })
  })
}
