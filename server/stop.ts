// Stops a server in order: not ready, then without requests, then without dependencies.
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { closePort } from './close-port.ts'
import type { Deps } from './deps.ts'

/** Time for requests in flight before their connections are closed, ms. */
const GRACE = 6000
/** Time after the drain after which the process exits in any case, ms. */
const FORCED_EXIT = 9500

const signals = ['SIGTERM', 'SIGINT'] as const

/** Resolves at the next signal to stop, or after a time. @param within ms; without it there is only the signal */
async function nextSignal(within?: number): Promise<void> {
  const end = new AbortController()
  const timer = within === undefined ? undefined : setTimeout(() => end.abort(), within)
  try {
    await Promise.race(signals.map((it) => once(process, it, { signal: end.signal })))
  } catch (error) {
    if (!end.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

/** Serves requests as before while a load balancer learns that this server gets no more of them. */
async function drain(app: FastifyInstance, deps: Deps, ms: number): Promise<void> {
  deps.draining.soon = true
  app.log.info({ ms }, 'the server is not ready any more, and stops soon')
  deps.realtime.sockets?.leave(ms)
  void deps.jobs.rest().catch((error: unknown) => app.log.error({ err: error }, 'the worker did not rest'))
  await nextSignal(ms)
}

/**
 * Waits for SIGTERM or SIGINT, then drains and stops the server. A second signal ends the drain at once.
 * @param drainMs how long requests are served after the signal
 * @param endPublishing ends the publishing of figures
 */
export async function stopAfterSignal(
  app: FastifyInstance,
  deps: Deps,
  drainMs: number,
  endPublishing: () => Promise<void>,
): Promise<void> {
  await nextSignal()
  if (drainMs > 0) await drain(app, deps, drainMs)
  setTimeout(() => process.exit(1), FORCED_EXIT).unref()
  if (drainMs > 0) await closePort(app.server)
  deps.draining.now = true
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE)
  await app.close()
  clearTimeout(cut)
  await endPublishing()
  await deps.close()
}
