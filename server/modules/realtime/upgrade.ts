// WebSocket upgrades of `/ws/app/{key}`, on the port of everything else.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { Deps, Door } from '#server/deps.ts'
import { clientAddress, requestedHost } from '#server/http/client-address.ts'
import { networkOf } from '#server/http/limits.ts'
import { isAllowedOrigin } from '#server/http/origin.ts'

type Served = Pick<Deps, 'settings' | 'draining'>

const PLACE = `${REALTIME_PATH}/app/`

/** The app's key in the address of an upgrade; undefined for every other address. */
function keyOf(url: string): string | undefined {
  return url.startsWith(PLACE) ? /^([\w-]{1,100})(?:\?|$)/.exec(url.slice(PLACE.length))?.[1] : undefined
}

function turnAway(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

export function handleUpgrades(app: FastifyInstance, { settings, draining }: Served, door: Door): void {
  const named = new Set(settings.origins)
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Before the connection is upgraded, no other code handles its errors.
    socket.on('error', () => socket.destroy())
    const key = keyOf(request.url ?? '')
    if (key === undefined) return turnAway(socket, '404 Not Found')
    if (draining.now) return turnAway(socket, '503 Service Unavailable')
    const { origin } = request.headers
    const host = requestedHost(request, settings.trustProxy)
    if (origin !== undefined && !isAllowedOrigin(origin, host, named))
      return turnAway(socket, '403 Forbidden')
    door.admit(request, socket, head, key, networkOf(clientAddress(request, settings.trustProxy)))
  }
  app.server.on('upgrade', upgrade)
  // A server that is closed waits for its connections, and these would stay.
  app.addHook('preClose', () => door.drain())
}
