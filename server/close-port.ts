// Closes the port of a server that serves its open connections to their end.
import { once } from 'node:events'
import { Server } from 'node:net'
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'

/** Longest wait for requests whose connections were opened before the port closed, ms. */
const LAST_REQUESTS = 1000

/**
 * Closes the port, so that a proxy sends requests to another server, and serves those of connections that are open. Each reply
 * closes its connection. The HTTP server's own `close` would end idle connections at once, on which a proxy may just be sending a
 * request: it could not repeat a POST.
 */
export async function closePort(server: Server): Promise<void> {
  const end = new AbortController()
  const closed = once(server, 'close', { signal: end.signal }).catch(() => undefined)
  // The system resets connections that wait for the server to accept them when the port closes, with the request that a
  // proxy has sent on them. Between two immediate callbacks the event loop accepts those that wait.
  await immediate()
  await immediate()
  Server.prototype.close.call(server)
  await Promise.race([closed, pause(LAST_REQUESTS)])
  end.abort()
}
