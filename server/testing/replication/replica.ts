// A primary and its streaming replicas, for tests (Debian: postgresql).
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { openPostgresServer, type PostgresServer, runProgram } from './postgres-server.ts'

/** Replicas take the settings over with the files. */
const settings = `
listen_addresses = '127.0.0.1'
fsync = off
max_connections = 100
shared_preload_libraries = 'pg_stat_statements'
hot_standby_feedback = on
wal_keep_size = 1GB
max_standby_streaming_delay = 1s
`

/** Starts a PostgreSQL server of its own, which replicas can follow. */
export const startPrimary = (): Promise<PostgresServer> =>
  openPostgresServer(async (data, folder) => {
    const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    await runProgram('initdb', options, folder)
    appendFileSync(path.join(data, 'postgresql.conf'), settings)
  })

export interface ReplicaServer extends PostgresServer {
  /** Receives the log, and does not replay it. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Makes it a primary. */
  promote(): Promise<void>
  /** Whether it has replayed everything that the primary has written by now. */
  isCaughtUp(): Promise<boolean>
}

/**
 * Copies a primary, and follows it without a slot, which a promoted server would not have.
 * @param options `delay`: how late it replays each commit, s. `follows`: port of what leads to the primary, such as a proxy
 */
export async function startReplica(
  primary: PostgresServer,
  { delay = 0, follows = primary.port }: { readonly delay?: number; readonly follows?: number } = {},
): Promise<ReplicaServer> {
  const server = await openPostgresServer(async (data, folder) => {
    const from = ['-h', '127.0.0.1', '-p', String(follows), '-U', 'postgres']
    const options = ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await runProgram('pg_basebackup', [...from, ...options], folder)
    if (delay > 0)
      appendFileSync(path.join(data, 'postgresql.conf'), `recovery_min_apply_delay = ${delay}s\n`)
  })
  return {
    ...server,
    async pause() {
      await server.sql('select pg_wal_replay_pause()')
      for (;;) {
        const [state] = await server.sql('select pg_get_wal_replay_pause_state() as it')
        if (state?.['it'] === 'paused') return
      }
    },
    resume: async () => void (await server.sql('select pg_wal_replay_resume()')),
    promote: async () => void (await server.sql('select pg_promote()')),
    async isCaughtUp() {
      const [written] = await primary.sql('select pg_current_wal_insert_lsn()::text as at')
      const [replayed] = await server.sql(
        `select pg_last_wal_replay_lsn() >= '${String(written?.['at'])}'::pg_lsn as it`,
      )
      return replayed?.['it'] === true
    },
  }
}
