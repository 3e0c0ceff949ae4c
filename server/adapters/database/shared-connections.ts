// A few pipelined PostgreSQL connections that all prepared reads share.
import type pg from 'pg'
import { connectionOf, LimitedClient } from './connecting.ts'
import type { Connections } from './primary/connections.ts'

/**
 * Shared connections. One process cannot use more with short reads, and fewer connections make better use of their caches.
 */
const MAX_CONNECTIONS = 4

export interface SharedConnections {
  /**
   * Sends a statement over the connection with the shortest queue. Statements are independent: a failed one affects no
   * other.
   */
  query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult>
  /**
   * Sends a condition and a statement over one connection, without waiting between them.
   * @returns undefined when the condition does not hold; the statement may have run nevertheless
   */
  queryIf(
    condition: Condition,
    config: pg.QueryConfig,
    values: unknown[],
  ): Promise<pg.QueryResult | undefined>
  /** Breaks all connections: their statements are rejected, and later ones use new connections. */
  drop(): void
  /** Ends the connections once all sent statements have their replies. */
  close(): Promise<void>
}

/** A statement, and whether its first row lets the next statement count. */
export interface Condition {
  readonly config: pg.QueryConfig
  readonly values: unknown[]
  readonly holds: (row: unknown) => boolean
}

export interface SharedOptions {
  readonly maxConnections?: number
  /** A statement that each new connection runs before all others. */
  readonly setUp?: string | undefined
  /** To which these belong. */
  readonly connections?: Connections | undefined
}

interface Shared {
  readonly client: pg.Client
  readonly open: Promise<unknown>
  /** Statements sent whose reply has not arrived yet. */
  sent: number
}

/**
 * Whether a statement may use a shared connection: only prepared ones that only read. A write may wait for a lock, and
 * would delay every statement behind it.
 */
export function isPreparedRead(what: unknown): what is pg.QueryConfig & { name: string } {
  if (typeof what !== 'object' || what === null) return false
  const { name, text } = what as Partial<pg.QueryConfig>
  return name !== undefined && /^\s*select\b/i.test(text ?? '')
}

/**
 * Sends a statement with a callback. For a promise the driver would add its own callback later, and every result would
 * then survive young-generation collections, which copy them all: 10 ms instead of 3 (decision 031).
 */
const resultOf = (client: pg.Client, config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> =>
  new Promise((done, fail) => {
    client.query({ ...config, values }, (error: Error | null, result) => (error ? fail(error) : done(result)))
  })

/** Opens a connection, and prepares it for its first statement; ends it when that fails. */
async function begin(
  client: pg.Client,
  { setUp, connections }: Pick<SharedOptions, 'setUp' | 'connections'>,
): Promise<void> {
  try {
    await client.connect()
    await connections?.identify(client)
    if (setUp !== undefined) await client.query(setUp)
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/** Opens shared connections, each at its first use; broken ones are removed. */
export function openSharedConnections(
  url: string,
  { maxConnections = MAX_CONNECTIONS, setUp, connections }: SharedOptions = {},
): SharedConnections {
  const all = new Set<Shared>()
  let closed = false

  function connect(): Shared {
    const Client = connections?.Client ?? LimitedClient
    const client = new Client({ ...connectionOf(url), pipeline: true })
    const open = begin(client, { setUp, connections })
    const made: Shared = { client, open, sent: 0 }
    const remove = () => void all.delete(made)
    // Without a listener, a connection that breaks while idle would end the process.
    client.on('error', remove).on('end', remove)
    made.open.catch(remove)
    all.add(made)
    return made
  }

  function leastBusy(): Shared {
    const [first, ...rest] = all
    const least = first && rest.reduce((best, it) => (it.sent < best.sent ? it : best), first)
    return least && (least.sent === 0 || all.size >= maxConnections) ? least : connect()
  }

  async function using<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    if (closed) throw new Error('the connections to the database are closed')
    const shared = leastBusy()
    shared.sent++
    try {
      await shared.open
      return await work(shared.client)
    } finally {
      shared.sent--
    }
  }

  return {
    query: (config, values) => using((client) => resultOf(client, config, values)),
    queryIf: ({ config: condition, values: given, holds }, config, values) =>
      using(async (client) => {
        const examined = resultOf(client, condition, given)
        const result = resultOf(client, config, values)
        // Without the condition its failure means nothing.
        result.catch(() => undefined)
        return holds((await examined).rows[0]) ? await result : undefined
      }),
    drop() {
      for (const { client } of all) client.connection.stream.destroy()
    },
    async close() {
      closed = true
      // Statements for a connection that is being opened are sent once it is open.
      await Promise.allSettled([...all].map(({ client, open }) => open.then(() => client.end())))
    },
  }
}
