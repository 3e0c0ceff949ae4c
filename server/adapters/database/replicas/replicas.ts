// Reads on streaming replicas: which of them may serve one, and how far each is.
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/adapters/database/database.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'
import type { Lsn } from './lsn.ts'
import { CHECK_EVERY, type MonitorPorts, openMonitor } from './monitor.ts'
import { openReplica, type Replica, type ReplicaRead } from './replica.ts'
import { shareNext } from './shared-call.ts'
import type { Standing } from './standing.ts'
import { readPosition } from './statements.ts'

/** A replica further behind is not used, ms. Streaming takes milliseconds; seconds mean that something is wrong with it. */
const MAX_LAG = 10_000
/** With a lag of no more than a check, a replica may have reached a position that it had not at the check, ms. */
const NEAR = CHECK_EVERY
/** Pauses before a read that needs the present state is tried again, ms: together longer than streaming takes. */
const NEAR_PAUSES = [10, 40, 100]

export interface ReplicaFigures {
  readonly standing: Standing
  /** Seconds. */
  readonly lag: number
}

export interface Replicas {
  /** Id of the primary's cluster; undefined until the primary has replied. */
  readonly cluster: string | undefined
  /** What the primary has written; read after the call, and shared by simultaneous callers. */
  position(): Promise<Lsn>
  /**
   * Runs statements that only read on a replica with everything up to a position.
   * @param by hexadecimal digits; equal ones read on the same replica while the same replicas are used
   * @param soon whether a short wait for the position is worth it
   * @returns `unavailable` where no replica may be used; each result but `read` means: read from the primary
   */
  read<T>(
    from: Lsn,
    work: (db: Database['db']) => Promise<T>,
    options: { readonly by: string; readonly soon?: boolean },
  ): Promise<ReplicaRead<T> | { readonly is: 'unavailable' }>
  /** In the order of their addresses. */
  figures(): readonly ReplicaFigures[]
  trace(traces: Traces): void
  close(): Promise<void>
}

export interface ReplicaSettings {
  /** Each address is of one replica. */
  readonly urls: readonly string[]
  /** Another bound of the lag, ms; for tests. */
  readonly maxLag?: number
}

/** Opens replicas without waiting for them: one that is gone is left out, and used again once it is back. */
export function openReplicas({ urls, maxLag = MAX_LAG }: ReplicaSettings, ports: MonitorPorts): Replicas {
  const all = urls.map(openReplica)
  const monitor = openMonitor(all, ports, maxLag)
  const position = shareNext(() => readPosition(ports.primary))
  let isClosed = false

  const mayReach = (it: Replica, from: Lsn) => it.replayed >= from || it.lag <= NEAR

  return {
    get cluster() {
      return monitor.cluster()
    },
    position,
    async read(from, work, { by, soon = false }) {
      const used = all.filter((it) => monitor.standing(it) === 'used')
      if (used.length === 0 || isClosed) return { is: 'unavailable' }
      const near = used.filter((it) => mayReach(it, from))
      const replica = near[Number.parseInt(by.slice(-6), 16) % near.length]
      if (!replica) return { is: 'behind' }
      let read = await replica.read(from, work)
      for (const ms of soon ? NEAR_PAUSES : []) {
        if (read.is !== 'behind') break
        await pause(ms)
        read = await replica.read(from, work)
      }
      return read
    },
    figures: () => all.map((it) => ({ standing: monitor.standing(it), lag: it.lag / 1000 })),
    trace: (traces) => all.forEach((it) => it.trace(traces)),
    async close() {
      isClosed = true
      monitor.end()
      await Promise.all(all.map((it) => it.close()))
    },
  }
}
