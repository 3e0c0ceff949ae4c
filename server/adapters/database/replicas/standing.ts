// Decides whether a replica may serve reads: same data, same history, recent enough.
import type { Lsn } from './lsn.ts'

/** What the primary says of itself, and when. */
export interface PrimaryFacts {
  /** Id of the cluster, equal on all its copies. */
  readonly cluster: string
  /** Id of the database within the cluster. */
  readonly database: string
  /** Counts the promotions of the cluster's history. */
  readonly timeline: number
  readonly written: Lsn
  /** Milliseconds that go on by themselves. */
  readonly at: number
}

export interface ReplicaFacts {
  readonly cluster: string
  readonly database: string
  /** Highest timeline that its files name. */
  readonly timeline: number
  /** Whether it still replays the log of a primary. */
  readonly isStandby: boolean
  /** Undefined for a server that has never replayed. */
  readonly replayed: Lsn | undefined
  /** Time of its newest migration, ms since 1970; 0 without one. */
  readonly migration: number
}

/**
 * `used`: it serves reads. `unknown`: not compared yet, or the primary does not reply. `unreachable`: it does not reply in time.
 * `foreign`: another database. `promoted`: it is a primary itself. `diverged`: it follows the history before or after a
 * promotion. `outdated`: its schema is older than this server's. `lagging`: it is too far behind.
 */
export const standings = [
  'used',
  'unknown',
  'unreachable',
  'foreign',
  'promoted',
  'diverged',
  'outdated',
  'lagging',
] as const
export type Standing = (typeof standings)[number]

/**
 * @param lag of the replica, ms
 * @param bounds `lag` in ms; `migration`: time of the newest migration of this server, ms since 1970
 */
export function standingOf(
  primary: PrimaryFacts,
  replica: ReplicaFacts,
  lag: number,
  bounds: { readonly lag: number; readonly migration: number },
): Standing {
  if (replica.cluster !== primary.cluster || replica.database !== primary.database) return 'foreign'
  if (!replica.isStandby || replica.replayed === undefined) return 'promoted'
  if (replica.timeline !== primary.timeline) return 'diverged'
  if (replica.migration < bounds.migration) return 'outdated'
  return lag > bounds.lag ? 'lagging' : 'used'
}

/**
 * How long ago the primary had written the first position that a replica has not replayed, ms; 0 when it has replayed everything
 * that was seen. The replica's own clock and the pauses between commits play no part.
 * @param seen positions of the primary, oldest first
 */
export function lagOf(
  seen: readonly Pick<PrimaryFacts, 'written' | 'at'>[],
  replayed: Lsn,
  now: number,
): number {
  const missing = seen.find((it) => it.written > replayed)
  return missing ? now - missing.at : 0
}
