// A few PostgreSQL connections, shared by all prepared reads and pipelined.
import pg from 'pg'

/**
 * At most so many. One process cannot keep more of PostgreSQL's busy with short reads, and the fewer they are, the sooner
 * each finds what the one before it has just used.
 */
const MOST = 4

export interface SharedConnections {
  /**
   * Sends a statement over the connection with the fewest before it. Each stands for itself: one that fails takes no
   * other along.
   */
  query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult>
  /** Ends them when what was sent is answered. */
  close(): Promise<void>
}

interface Shared {
  readonly client: pg.Client
  readonly open: Promise<unknown>
  /** Statements sent and not answered yet. */
  sent: number
}

/**
 * Whether a statement may go over a shared connection. Only what is kept under a name and reads alone: a write can wait
 * for somebody else's lock, and everybody behind it with it.
 */
export function isKeptRead(what: unknown): what is pg.QueryConfig & { name: string } {
  if (typeof what !== 'object' || what === null) return false
  const { name, text } = what as Partial<pg.QueryConfig>
  return name !== undefined && /^\s*select\b/i.test(text ?? '')
}

/**
 * By a callback that is given at once. Asked for a promise the driver adds its own later, and every answer then outlives
 * the collections of what is young, each of which copied them all: 10 ms where it is 3 now (decision 031).
 */
const answerOf = (client: pg.Client, config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> =>
  new Promise((done, fail) => {
    client.query({ ...config, values }, (error: Error | null, result) => (error ? fail(error) : done(result)))
  })

/** None is opened before it is wanted, nor kept once it has broken. */
export function shareConnections(url: string, most = MOST): SharedConnections {
  const all = new Set<Shared>()
  let closed = false

  function begin(): Shared {
    const client = new pg.Client({ connectionString: url, keepAlive: true, pipeline: true })
    const made: Shared = { client, open: client.connect(), sent: 0 }
    const forget = () => void all.delete(made)
    // Without a listener a connection that breaks while nothing is asked would end the process.
    client.on('error', forget).on('end', forget)
    made.open.catch(forget)
    all.add(made)
    return made
  }

  function freest(): Shared {
    const [first, ...rest] = all
    const least = first && rest.reduce((best, it) => (it.sent < best.sent ? it : best), first)
    return least && (least.sent === 0 || all.size >= most) ? least : begin()
  }

  return {
    async query(config, values) {
      if (closed) throw new Error('the connections to the database are closed')
      const shared = freest()
      shared.sent++
      try {
        await shared.open
        return await answerOf(shared.client, config, values)
      } finally {
        shared.sent--
      }
    },
    async close() {
      closed = true
      // What was asked of one that is still being opened is sent once it is.
      await Promise.allSettled([...all].map(({ client, open }) => open.then(() => client.end())))
    },
  }
}
