// Figures of this server process, and those that other servers have published.
import { getHeapStatistics } from 'node:v8'
import * as v from 'valibot'
import { serverFigures, type Server, type ServerFigures } from '#contract/administration/machine.ts'
import type { Deps } from '#server/deps.ts'
import { listReports, removeReport, REPORT_LIFE, writeReport } from '#server/store/staff/machine.ts'
import { readBuild } from './versions.ts'

/** How often a server publishes its figures, ms. */
const PUBLISH_EVERY = 15_000
/** Routes of one server. */
const MAX_ROUTES = 20

const round = (it: number): number => Math.round(it * 1000) / 1000

export async function figuresOf(deps: Deps): Promise<ServerFigures> {
  const { meters, eventLoop, settings, mediaSandbox } = deps
  const { delay, utilisation } = eventLoop.minutes()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    media_sandbox: mediaSandbox?.found().state ?? null,
    started_at: new Date(meters.startedAt).toISOString(),
    build: (await readBuild(settings.dist)).build,
    node: process.version,
    memory: { rss, heap: heapUsed, heap_limit: getHeapStatistics().heap_size_limit },
    loop: { p50: round(delay.p50), p99: round(delay.p99), max: round(delay.max) },
    utilisation: round(utilisation),
    routes: meters.requests.slowest(MAX_ROUTES),
    pushes: meters.pushes.read(),
  }
}

/** This server with what it measures now, then the others, as they last published. */
export async function listServers(deps: Deps): Promise<Server[]> {
  const now = Date.now()
  const own = { id: deps.meters.id, own: true, at: new Date(now).toISOString(), ...(await figuresOf(deps)) }
  const others = await listReports(deps.db, new Date(now - REPORT_LIFE))
  return [
    own,
    ...others.flatMap(({ id, measuredAt, figures }) => {
      // A server of another version may publish other figures.
      const parsed = v.safeParse(serverFigures, figures)
      if (id === own.id || !parsed.success) return []
      return [{ id, own: false, at: measuredAt.toISOString(), ...parsed.output }]
    }),
  ]
}

/** Publishes the figures of this server once. */
export async function publishFigures(deps: Deps): Promise<void> {
  const now = Date.now()
  const report = { id: deps.meters.id, measuredAt: new Date(now), figures: await figuresOf(deps) }
  await deps.transaction(({ tx }) => writeReport(tx, report, new Date(now - REPORT_LIFE * 10)))
}

/**
 * Publishes the figures of this server now, every 15 seconds, and when the state of its sandbox changes. The embedded database has
 * one process, which publishes nothing.
 * @returns ends it and removes what was published, once the first figures are published
 */
export async function startPublishing(
  deps: Deps,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  if (deps.database.kind === 'pglite') return async () => undefined
  let ended = false
  const publish = async () => {
    if (!ended) await publishFigures(deps).catch(onError)
  }
  await publish()
  deps.mediaSandbox?.onChange(() => void publish())
  const stop = deps.every(PUBLISH_EVERY, publish)
  return async () => {
    ended = true
    stop()
    await deps.transaction(({ tx }) => removeReport(tx, deps.meters.id)).catch(onError)
  }
}
