// Health routes: the state of the server, and its probes.
import type { FastifyInstance } from 'fastify'
import { getHealth } from '#contract/health.ts'
import { API_BASE } from '#contract/paths.ts'
import { getLiveness, getReadiness } from '#contract/probes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { findMediaSandbox } from '#server/services/media/sandbox-state.ts'
import { isPractice } from '#server/services/payments/providers.ts'
import { withTimeLimit } from '#server/services/runtime/time-limit.ts'
import { createProbe, FRESH } from './probe.ts'

type Probe = ReturnType<typeof createProbe>

/** Probes come often and from one address, so no limit counts them: an answer may not depend on Redis. */
const uncounted = { config: { rateLimit: false } }

const probeOf = (deps: Deps): Probe =>
  createProbe({
    database: () => deps.database.ping(),
    storage: () => deps.storage.objects.probe(),
    // Not `deps.clock`: the clock of a test does not advance by itself.
    clock: Date.now,
  })

/** The probes of a supervisor and of a load balancer, which every process has. */
export function probeRoutes(app: FastifyInstance, deps: Deps, probe = probeOf(deps)): void {
  const { draining } = deps
  app.get(API_BASE + getLiveness.path, uncounted, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get(API_BASE + getReadiness.path, uncounted, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (draining.now || draining.soon) throw new ApiError('unavailable')
    const { database, storage } = await probe()
    if (!database || !storage) {
      request.log.error({ database, storage }, 'not ready')
      throw new ApiError('unavailable')
    }
    return reply.send({ status: 'ok' })
  })
}

/** How long a caller waits for the state of the sandbox, ms. */
const SANDBOX_TIME = 500

/** @returns a function that reads the state of the sandbox, at most once a second */
function sandboxReader(deps: Deps) {
  const read = () =>
    withTimeLimit(findMediaSandbox(deps), SANDBOX_TIME).then(
      (it) => it.state,
      () => 'unknown' as const,
    )
  let known: { readonly at: number; readonly state: ReturnType<typeof read> } | undefined
  return () => {
    if (!known || Date.now() - known.at >= FRESH) known = { at: Date.now(), state: read() }
    return known.state
  }
}

/** Whether new payments move money. */
function paymentsOf({ paymentProviders: { current } }: Deps): 'real' | 'practice' | 'off' {
  if (!current) return 'off'
  return isPractice(current.name) ? 'practice' : 'real'
}

export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  const probe = probeOf(deps)
  const sandbox = sandboxReader(deps)
  probeRoutes(app, deps, probe)
  app.get(API_BASE + getHealth.path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { database, storage, at, stale } = await probe()
    if (!database || !storage) {
      request.log.error({ database, storage }, 'unhealthy')
      throw new ApiError('unavailable')
    }
    const { now, soon } = deps.draining
    const damage = deps.database.damage?.()
    if (damage !== undefined) request.log.error({ damage }, 'the database is damaged')
    return reply.code(now || damage !== undefined ? 503 : 200).send({
      status: now || soon ? 'draining' : damage === undefined ? 'ok' : 'failing',
      database: damage === undefined ? 'ok' : 'failing',
      storage: 'ok',
      room: (await deps.storage.room.isLow()) ? 'low' : 'ok',
      media_sandbox: await sandbox(),
      payments: paymentsOf(deps),
      sales: deps.paymentProviders.current && deps.settings.payments.isSelling ? 'open' : 'paused',
      mail: (await deps.mailRelay?.find())?.state ?? 'off',
      checked_at: new Date(at).toISOString(),
      stale,
      event_loop_ms: deps.eventLoop.delay(),
    })
  })
}
