// Measures how long callers wait for a connection of a full pool.
import type pg from 'pg'

export interface PoolFigures {
  /** Connections in use, and open ones that are free. */
  readonly used: number
  readonly free: number
  /** Callers that wait for a connection now. */
  readonly waiting: number
  /** Callers that had to wait since the start, and their time, s. */
  readonly waits: number
  readonly waitedSeconds: number
}

type Taken = Parameters<pg.Pool['connect']>[0]

/**
 * Replaces `connect` of a pool, which its `query` calls too. A caller that finds a free connection, or room for one more, is not timed.
 * @param clock milliseconds that go on by themselves
 */
export function measurePool(pool: pg.Pool, clock: () => number = () => performance.now()): () => PoolFigures {
  let waits = 0
  let waitedMs = 0
  const isFull = () => pool.idleCount === 0 && pool.totalCount >= pool.options.max
  const timer = () => {
    const begun = clock()
    waits += 1
    return () => void (waitedMs += clock() - begun)
  }
  const connect = pool.connect.bind(pool)
  const measured = (taken?: Taken): Promise<pg.PoolClient> | void => {
    const end = isFull() ? timer() : undefined
    if (!taken) return end ? connect().finally(end) : connect()
    return connect((...reply) => {
      end?.()
      taken(...reply)
    })
  }
  pool.connect = measured as pg.Pool['connect']
  return () => ({
    used: pool.totalCount - pool.idleCount,
    free: pool.idleCount,
    waiting: pool.waitingCount,
    waits,
    waitedSeconds: waitedMs / 1000,
  })
}
