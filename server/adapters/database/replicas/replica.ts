// One replica: its connections, its standing, and reads on it.
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Database } from '#server/adapters/database/database.ts'
import { openSharedConnections } from '#server/adapters/database/shared-connections.ts'
import { tracedQuery } from '#server/adapters/traces/statements.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'
import type { Lsn } from './lsn.ts'
import type { ReplicaFacts, Standing } from './standing.ts'
import { hasReached, type Query, readReplica } from './statements.ts'

/** Longest time of one statement on a replica, ms; a page usually takes a few. */
const STATEMENT_TIME = 2000
/** Longest wait for a replica, ms: it may be paused or behind a broken network, where no statement ends by itself. */
export const REPLY_TIME = 3000
const MAX_CONNECTIONS = 4

const setUp = `set default_transaction_read_only = on; set statement_timeout = ${STATEMENT_TIME}`

/** The replica has not replayed what the read needs. */
class Behind extends Error {}

/** A read on a replica. `behind`: it lacks something that the read needs. `failed`: it broke, or took too long. */
export type ReplicaRead<T> = { readonly is: 'read'; readonly value: T } | { readonly is: 'behind' | 'failed' }

export interface Replica {
  standing: Standing
  /** As it was last seen. */
  replayed: Lsn
  /** As it was last seen, ms. */
  lag: number
  facts(): Promise<ReplicaFacts>
  /**
   * Runs statements that only read, each on a connection to a standby that has replayed the log up to a position. The
   * position is examined on that connection: an address may lead to another server than a moment ago.
   */
  read<T>(from: Lsn, work: (db: Database['db']) => Promise<T>): Promise<ReplicaRead<T>>
  trace(traces: Traces): void
  close(): Promise<void>
}

export function openReplica(url: string): Replica {
  const shared = openSharedConnections(url, { maxConnections: MAX_CONNECTIONS, setUp })
  let traced: (query: Query) => Query = (query) => query

  /** A database whose statements throw `Behind` until the replica has reached a position. */
  function databaseFrom(from: Lsn): Database['db'] {
    const condition = hasReached(from)
    const query = traced(async (config, values) => {
      const result = await shared.queryIf(condition, config, values)
      if (!result) throw new Behind()
      return result
    })
    return drizzle({ query } as unknown as pg.Client)
  }

  const replica: Replica = {
    standing: 'unknown',
    replayed: 0n,
    lag: 0,
    facts: () => inTime(readReplica(shared.query), shared.drop),
    async read(from, work) {
      const late = () => {
        replica.standing = 'unreachable'
        shared.drop()
      }
      try {
        return { is: 'read', value: await inTime(work(databaseFrom(from)), late) }
      } catch (error) {
        if (isBehind(error)) return { is: 'behind' }
        if (!isRefused(error)) replica.standing = 'unreachable'
        return { is: 'failed' }
      }
    },
    trace(traces) {
      traced = (query) => tracedQuery(traces, query as (...args: unknown[]) => unknown) as Query
    },
    async close() {
      shared.drop()
      await shared.close()
    },
  }
  return replica
}

/** Drizzle wraps what a statement throws. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error

const isBehind = (error: unknown): boolean => causeOf(error) instanceof Behind

/** SQLSTATE of errors of the server or the connection: no connection, stopped or starting, no resources, its own faults. */
const ofServer = /^(?:08|57P|53|58|XX)/

/** Whether the replica refused this one statement (too long, in conflict with its replay), and may serve others. */
function isRefused(error: unknown): boolean {
  const { code } = causeOf(error) as { readonly code?: unknown }
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) && !ofServer.test(code)
}

/** @param late is called when the time is over */
async function inTime<T>(work: Promise<T>, late: () => void): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late()
    limit.reject(new Error(`the replica did not reply within ${REPLY_TIME} ms`))
  }, REPLY_TIME)
  timer.unref()
  // A failure after its time is known already.
  work.catch(() => undefined)
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer))
}
