// Opens connections to PostgreSQL, and recognises a database that is gone.
import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import type { Connections } from './primary/connections.ts'

/** Longest time to open a connection, ms: an address without a machine would otherwise take minutes. */
const CONNECT_TIME = 5000
/** Idle time after which the operating system examines a connection, ms. */
const EXAMINE_AFTER = 10_000

/** Options of one connection. */
export const connectionOf = (url: string): pg.ClientConfig => ({
  connectionString: url,
  keepAlive: true,
  keepAliveInitialDelayMillis: EXAMINE_AFTER,
  connectionTimeoutMillis: CONNECT_TIME,
})

/** The pool's own limit would include the wait for a connection in use, so each connection has its own. */
export class LimitedClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIME })
  }
}

/** No connection could be opened. `code` is that of the cause, where it has one. */
export class NotConnected extends Error {
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('no connection to the database', { cause })
    this.name = 'NotConnected'
    this.code = codeOf(cause)
  }
}

/**
 * Returns a connection to the pool as soon as it ends, and lets its user return it once more: drizzle never returns one
 * whose `begin` failed (drizzle-orm issue 6241), and the pool would soon be empty.
 */
function returnAtEnd(client: pg.PoolClient): pg.PoolClient {
  const release = client.release
  let isReturned = false
  const ended = () => client.release(new Error('the connection has ended'))
  client.release = (why) => {
    if (isReturned) return
    isReturned = true
    client.off('end', ended)
    release(why)
  }
  return client.once('end', ended)
}

/** Opens one connection, for a command. @throws NotConnected */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOf(url))
  await client.connect().catch((error: unknown) => {
    throw new NotConnected(error)
  })
  // Without a listener a broken connection would end the process; the next statement rejects.
  return client.on('error', () => undefined)
}

/**
 * Opens a pool, whose `connect` rejects with `NotConnected`.
 * @param connections to which its own belong
 */
export function openPool(url: string, max: number, connections?: Connections): pg.Pool {
  const { connectionTimeoutMillis: _, ...options } = connectionOf(url)
  const pool = new pg.Pool({
    ...options,
    max,
    Client: connections?.Client ?? LimitedClient,
    ...(connections && {
      verify: (client, done) => void connections.identify(client).then(() => done(), done),
    }),
  })
  const connect = pool.connect.bind(pool)
  const named = (taken?: Parameters<typeof connect>[0]): Promise<pg.PoolClient> | void =>
    taken
      ? connect(taken)
      : connect().then(returnAtEnd, (error: unknown) => {
          throw new NotConnected(error)
        })
  pool.connect = named as pg.Pool['connect']
  return pool
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/**
 * SQLSTATE of a database that stops, starts, has become a standby, has no memory (53200) or no connection left (53300), or took too
 * long (57014), and codes of a broken connection. 25006: a write reached a standby, as for a moment after a failover.
 */
const goneCodes =
  /^(?:08\w{3}|57P0[123]|57014|53[23]00|25006|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Errors of the driver without a code. */
const goneTexts =
  /^(?:Connection terminated|timeout expired|Client has encountered a connection error|Client was closed)/

/** Whether an error of a statement means that the database is gone for now, and the request may succeed later. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof NotConnected) return true
  if (!(error instanceof DrizzleQueryError)) return false
  const { cause } = error
  return goneCodes.test(codeOf(cause) ?? '') || goneTexts.test(cause?.message ?? '')
}
