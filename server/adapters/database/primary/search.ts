// Finds out by a new connection which server is behind an address.
import { Socket } from 'node:net'
import pg from 'pg'
import { connectionOf } from '#server/adapters/database/connecting.ts'
import { serverStart } from './server-start.ts'

/** What a new connection found. `start`: when the server was started. */
export type Found =
  | { readonly is: 'server'; readonly start: string }
  | { readonly is: 'refused' | 'no reply' }

export interface Search {
  readonly found: Promise<Found>
  /** Ends the search at once; it has found no reply. */
  end(): void
}

/** SQLSTATE: the server itself refused the connection, as one without a free place does. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^[\dA-Z]{5}$/.test(error.code ?? '')

/** @param limit longest time of connection and statement together, ms */
export function findServer(url: string, limit: number): Search {
  const socket = new Socket()
  const client = new pg.Client({ ...connectionOf(url), stream: () => socket })
  // Without a listener a connection that breaks between two calls would end the process.
  client.on('error', () => undefined)
  const end = () => void socket.destroy()
  const timer = setTimeout(end, limit)
  const find = async (): Promise<Found> => {
    try {
      await client.connect()
      return { is: 'server', start: await serverStart(client) }
    } catch (error) {
      return { is: isRefusal(error) ? 'refused' : 'no reply' }
    } finally {
      clearTimeout(timer)
      client.end().catch(() => undefined)
    }
  }
  return { found: find(), end }
}
