// Statements by which primary and replica are compared.
import type pg from 'pg'
import type { Condition } from '#server/adapters/database/shared-connections.ts'
import { formatLsn, type Lsn, parseLsn } from './lsn.ts'
import type { PrimaryFacts, ReplicaFacts } from './standing.ts'

export type Query = (config: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResult>

const own = `(select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database`

const positionRead = { name: 'replica_position', text: 'select pg_current_wal_insert_lsn()::text as written' }

/**
 * Everything that the primary has written. A commit without `synchronous_commit` may not be on the disk yet, so that the
 * position of what is inserted is read, not that of what is flushed.
 */
export async function readPosition(primary: Query): Promise<Lsn> {
  const { rows } = await primary(positionRead, [])
  return positionIn((rows[0] as { written: string }).written)
}

// The first eight digits of a file's name are its timeline. A standby refuses the function.
const primaryFacts = {
  name: 'replica_primary',
  text: `select ${own}, pg_current_wal_insert_lsn()::text as written,
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
}

/** @throws where the server is a standby */
export async function readPrimary(primary: Query, at: number): Promise<PrimaryFacts> {
  const { rows } = await primary(primaryFacts, [])
  const { written, timeline, ...it } = rows[0] as Record<
    'cluster' | 'database' | 'written' | 'timeline',
    string
  >
  return { ...it, timeline: Number.parseInt(timeline, 16), written: positionIn(written), at }
}

/**
 * The files of a standby name a new timeline only after its next restartpoint. The receiver has it at once, and shows it to
 * members of `pg_read_all_stats`; to others it is null.
 */
const replicaFacts = {
  name: 'replica_facts',
  text: `select ${own}, pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed,
    greatest((select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery()),
      (select received_tli from pg_stat_wal_receiver)) as timeline,
    to_regclass('drizzle.__drizzle_migrations') is not null as migrated`,
}
const newestMigration = {
  name: 'replica_schema',
  text: 'select max(created_at)::text as at from drizzle.__drizzle_migrations',
}

interface FactsRow extends Record<'cluster' | 'database', string> {
  readonly standby: boolean
  readonly replayed: string | null
  readonly timeline: number
  readonly migrated: boolean
}

export async function readReplica(replica: Query): Promise<ReplicaFacts> {
  const { rows } = await replica(replicaFacts, [])
  const { standby, replayed, migrated, ...it } = rows[0] as FactsRow
  const newest = migrated ? await replica(newestMigration, []) : undefined
  const { at } = (newest?.rows[0] ?? { at: null }) as { at: string | null }
  return { ...it, isStandby: standby, replayed: parseLsn(replayed), migration: Number(at ?? 0) }
}

const reached = {
  name: 'replica_reached',
  text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
}

/** The server is a standby, and has replayed the log up to a position. */
export const hasReached = (position: Lsn): Condition => ({
  config: reached,
  values: [formatLsn(position)],
  holds: (row) => (row as { reached: boolean | null } | undefined)?.reached === true,
})

function positionIn(text: string): Lsn {
  const lsn = parseLsn(text)
  if (lsn === undefined) throw new TypeError(`PostgreSQL gave no position: ${text}`)
  return lsn
}
