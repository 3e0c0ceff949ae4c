// The connections of this process to one database, and the server that each leads to.
import { Socket } from 'node:net'
import type pg from 'pg'
import { LimitedClient } from '#server/adapters/database/connecting.ts'
import { serverStart } from './server-start.ts'

/** A connection that is not known after this time leads to a server that does not reply, ms. */
const UNKNOWN_FOR = 10_000

export interface Connections {
  /** The driver's class, whose connections are among these from their first byte to their end. */
  readonly Client: typeof LimitedClient
  /** Reads which server an opened connection leads to; called before its first use. */
  identify(client: pg.ClientBase): Promise<void>
  /** Bytes that all have received, those that have ended included. */
  received(): number
  /**
   * Breaks connections: the driver rejects their statements, and the pool opens others.
   * @param start of a server: those that lead to it remain; otherwise none does
   * @returns how many it broke
   */
  break(start?: string): number
}

interface Connection {
  /** TLS reads through this socket too, so that its bytes and its end are those of the connection. */
  readonly socket: Socket
  readonly madeAt: number
  /** When its server was started; undefined until it is identified. */
  start?: string
}

/** @param clock milliseconds that go on by themselves */
export function createConnections(clock: () => number = () => performance.now()): Connections {
  const all = new Map<pg.ClientBase, Connection>()
  let receivedBefore = 0

  class Client extends LimitedClient {
    constructor(config: pg.ClientConfig = {}) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      all.set(this, { socket, madeAt: clock() })
      socket.once('close', () => {
        all.delete(this)
        receivedBefore += socket.bytesRead
      })
    }
  }
  const leadsTo = (start: string, it: Connection) =>
    it.start === undefined ? clock() - it.madeAt < UNKNOWN_FOR : it.start === start
  return {
    Client,
    async identify(client) {
      const connection = all.get(client)
      if (connection) connection.start = await serverStart(client)
    },
    received: () => [...all.values()].reduce((sum, it) => sum + it.socket.bytesRead, receivedBefore),
    break(start) {
      const broken = [...all.values()].filter((it) => start === undefined || !leadsTo(start, it))
      for (const it of broken) it.socket.destroy()
      return broken.length
    },
  }
}
