// Metrics of this process that others already have: event loop, pool, connections, pushes, relay.
import type { Deps } from '#server/deps.ts'
import type { Reading } from './reading.ts'
import { standings } from '#server/services/replicas/standings.ts'

const relayOutcomes = ['ok', 'refused', 'unreachable'] as const

/** None before the first check has ended, and without a relay. */
export async function relayReadings({ mailRelay }: Deps): Promise<Reading[]> {
  const state = (await mailRelay?.find())?.state ?? 'unknown'
  if (state === 'unknown') return []
  return relayOutcomes.map((outcome): Reading => {
    return { name: 'todoke_mail_relay', labels: { outcome }, value: outcome === state ? 1 : 0 }
  })
}

export function processReadings({ eventLoop, database, realtime, meters }: Deps): Reading[] {
  const { p50, p99, max } = eventLoop.delay()
  const pool = database.pool?.()
  const sockets = realtime.sockets?.counts()
  const delays = { '50': p50, '99': p99, '100': max }
  return [
    ...Object.entries(delays).map(([percentile, ms]): Reading => {
      return { name: 'todoke_event_loop_delay_seconds', labels: { percentile }, value: ms / 1000 }
    }),
    { name: 'todoke_event_loop_utilisation_ratio', value: eventLoop.minutes().utilisation },
    ...(pool ? poolReadings(pool) : []),
    ...Object.entries(database.breaks ?? {}).map(([reason, value]): Reading => {
      return { name: 'todoke_database_breaks_total', labels: { reason }, value }
    }),
    ...(database.replicas ? replicaReadings(database.replicas.figures()) : []),
    ...(sockets
      ? Object.entries(sockets).map(([person, value]): Reading => {
          return { name: 'todoke_live_connections', labels: { person }, value }
        })
      : []),
    ...meters.pushes.totals().flatMap(({ service, ...counts }) =>
      Object.entries(counts).map(([outcome, value]): Reading => {
        return { name: 'todoke_pushes_total', labels: { service, outcome }, value }
      }),
    ),
  ]
}

type Replicas = NonNullable<Deps['database']['replicas']>

const replicaReadings = (figures: ReturnType<Replicas['figures']>): Reading[] =>
  figures.flatMap(({ standing, lag }, index): Reading[] => {
    const replica = String(index + 1)
    return [
      { name: 'todoke_replica_lag_seconds', labels: { replica }, value: lag },
      ...standings.map((it): Reading => {
        const value = it === standing ? 1 : 0
        return { name: 'todoke_replica_standing', labels: { replica, standing: it }, value }
      }),
    ]
  })

type Pool = ReturnType<NonNullable<Deps['database']['pool']>>

const poolReadings = ({ used, free, waiting, waits, waitedSeconds }: Pool): Reading[] => [
  { name: 'todoke_database_pool_connections', labels: { state: 'used' }, value: used },
  { name: 'todoke_database_pool_connections', labels: { state: 'free' }, value: free },
  { name: 'todoke_database_pool_waiting', value: waiting },
  { name: 'todoke_database_pool_waits_total', value: waits },
  { name: 'todoke_database_pool_wait_seconds_total', value: waitedSeconds },
]
