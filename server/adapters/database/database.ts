// The database of a server, and how PostgreSQL is opened.
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { openClient, openPool } from './connecting.ts'
import { lockMigrations, migrateAlone, migrateLocked, newestMigration } from './migrate.ts'
import { refuseOldVersion, refuseSharedSessions } from './own-session.ts'
import { createConnections } from './primary/connections.ts'
import { type Broken, type PrimaryWatch, watchPrimary, type WatchTimes, watchTimes } from './primary/watch.ts'
import { measurePool, type PoolFigures } from './pool-waits.ts'
import { openReplicas, type Replicas, type ReplicaSettings } from './replicas/replicas.ts'
import { isPreparedRead, openSharedConnections } from './shared-connections.ts'
import { tracedQuery, tracePool } from '#server/adapters/traces/statements.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'

export interface Database {
  readonly kind: 'pglite' | 'postgres'
  readonly db: PgDatabase<PgQueryResultHKT, Record<string, never>>
  /** Runs SQL outside every transaction, for the maintenance of the job table. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
  /**
   * Runs the work, unless work of the same name is running in any process on the same database. The name is released when
   * its process dies.
   */
  exclusively(name: string, work: () => Promise<void>): Promise<'done' | 'busy'>
  /** Resolves when the database replies, or throws. */
  ping(): Promise<void>
  /** Use of the pool now, and its waits since the start; undefined for a database without a pool. */
  pool?(): PoolFigures
  /** How often connections were broken since the start; undefined for a database without connections. */
  readonly breaks?: PrimaryWatch['breaks']
  /** Undefined without replicas. */
  readonly replicas?: Replicas | undefined
  /** What PostgreSQL said about the first damaged page or index since the start; undefined for none. Of the embedded database alone. */
  damage?(): string | undefined
  /** From now on each statement of a request or job has a span. */
  trace(traces: Traces): void
  close(): Promise<void>
}

/**
 * Connections for everything except prepared reads: transactions, jobs, and up to eight locks of media processing.
 */
const POOL = 16

export interface PostgresOptions {
  readonly replicas?: ReplicaSettings | undefined
  /** Runs before the schema is changed; its error is thrown. */
  readonly check?: (db: Database['db']) => Promise<void>
  /** Called after connections were broken. */
  readonly broken?: (why: Broken) => void
  /** Other times of the watch over the connections; for tests. */
  readonly times?: WatchTimes
}

/**
 * Opens PostgreSQL 15 or later: a pool, a few shared connections for prepared reads, and those of replicas.
 * @throws SessionsShared, VersionTooOld
 */
export async function openPostgres(
  url: string,
  migrations: string,
  {
    replicas: given = { urls: [] },
    check,
    broken = () => undefined,
    times = watchTimes,
  }: PostgresOptions = {},
): Promise<Database> {
  const connections = createConnections()
  const pool = openPool(url, POOL, connections)
  // Without a listener a dropped idle connection would end the process.
  pool.on('error', () => undefined)
  // So would one that breaks while a transaction has it; the transaction's next query rejects.
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await refuseOldVersion(pool)
    await refuseSharedSessions(pool)
    await check?.(drizzlePg(pool))
    await migrateAlone(pool, migrations)
  } catch (error) {
    await pool.end()
    throw error
  }
  const figures = measurePool(pool)
  const shared = openSharedConnections(url, { connections })
  const watch = watchPrimary({ url, connections, report: broken, times })
  const pooled = pool.query.bind(pool)
  let read = shared.query
  // Drizzle accepts only a real pool, so its `query` is replaced; transactions use their own connection of the pool.
  pool.query = ((what: pg.QueryConfig, values: unknown[]) =>
    isPreparedRead(what) ? read(what, values) : pooled(what, values)) as typeof pool.query
  const ports = { primary: shared.query, migration: newestMigration(migrations) }
  const replicas = given.urls.length === 0 ? undefined : openReplicas(given, ports)
  return {
    kind: 'postgres',
    db: drizzlePg(pool) as unknown as Database['db'],
    executeSql: (text, values) => (values ? pool.query(text, [...values]) : pool.query(text)),
    exclusively: (name, work) => exclusivelyAmongAll(pool, name, work),
    async ping() {
      await pool.query('select 1')
    },
    pool: figures,
    breaks: watch.breaks,
    replicas,
    trace(traces) {
      tracePool(traces, pool)
      replicas?.trace(traces)
      read = tracedQuery(traces, shared.query as (...args: unknown[]) => unknown) as typeof read
    },
    async close() {
      await Promise.all([replicas?.close(), watch.end()])
      await Promise.all([shared.close(), pool.end()])
    },
  }
}

/** One session on PostgreSQL, for a command that no other session may disturb. */
export interface SingleSession {
  readonly db: Database['db']
  /** Runs the work in one transaction; an error of the work undoes it. */
  inTransaction(work: (tx: Database['db']) => Promise<void>): Promise<void>
  /** Runs a statement outside every transaction. @returns the details of its notices, in their order */
  run(statement: string): Promise<readonly string[]>
  /** Brings the schema up to date. Servers that start meanwhile wait until the session ends. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** @throws NotConnected */
export async function openSingleSession(url: string, migrations: string): Promise<SingleSession> {
  const client = await openClient(url)
  const db = drizzlePg(client)
  return {
    db: db as unknown as Database['db'],
    inTransaction: (work) => db.transaction((tx) => work(tx as unknown as Database['db'])),
    async run(statement) {
      const details: string[] = []
      const add = ({ detail }: { detail?: string | undefined }) => void (detail && details.push(detail))
      client.on('notice', add)
      try {
        await client.query(statement)
      } finally {
        client.off('notice', add)
      }
      return details
    },
    async migrate() {
      await lockMigrations(client)
      await migrateLocked(client, migrations)
    },
    close: () => client.end(),
  }
}

/** `exclusively` for PostgreSQL: an advisory lock of its own connection, which ends with the process. */
async function exclusivelyAmongAll(
  pool: pg.Pool,
  name: string,
  work: () => Promise<void>,
): Promise<'done' | 'busy'> {
  const client = await pool.connect()
  // Without a listener a connection that breaks while it only holds the lock would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  let broken = false
  const call = async (what: string): Promise<boolean> => {
    const { rows } = await client.query<{ it: boolean }>(`select ${what}(hashtextextended($1, 0)) as it`, [
      name,
    ])
    return rows[0]?.it === true
  }
  try {
    if (!(await call('pg_try_advisory_lock'))) return 'busy'
    try {
      await work()
      return 'done'
    } finally {
      broken = !(await call('pg_advisory_unlock').catch(() => false))
    }
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}
