// Notices that a page or an index of the embedded database is damaged.
import type { PGlite } from '@electric-sql/pglite'

/** SQLSTATE of damaged data and of a damaged index: PostgreSQL reports them when it reads a page. */
const damagedCodes = new Set(['XX001', 'XX002'])

type Exec = (...args: never[]) => Promise<unknown>

/** @returns a function that returns what PostgreSQL said about the first damage; undefined for none */
export function watchDamage(client: PGlite): () => string | undefined {
  let found: string | undefined
  const watched = <E extends Exec>(exec: E): E =>
    (async (...args) => {
      try {
        return await exec(...args)
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        if (damagedCodes.has(code ?? '')) found ??= message
        throw error
      }
    }) as E
  client.execProtocol = watched(client.execProtocol.bind(client))
  client.execProtocolStream = watched(client.execProtocolStream.bind(client))
  return () => found
}
