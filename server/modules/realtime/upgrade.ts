// WebSocket upgrades of `/ws/app/{key}`, on the same port as HTTP.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { Deps, SocketServer } from '#server/deps.ts'
import { clientAddress, requestedHost } from '#server/http/client-address.ts'
import { networkOf } from '#server/http/limit-keys.ts'
import { isAllowedOrigin } from '#server/http/origin.ts'

type UpgradeDeps = Pick<Deps, 'settings' | 'draining'>

const PATH_PREFIX = `${REALTIME_PATH}/app/`

/** The app's key in the address of an upgrade; undefined for every other address. */
function keyOf(url: string): string | undefined {
  return url.startsWith(PATH_PREFIX)
    ? /^([\w-]{1,100})(?:\?|$)/.exec(url.slice(PATH_PREFIX.length))?.[1]
    : undefined
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

export function handleUpgrades(
  app: FastifyInstance,
  { settings, draining }: UpgradeDeps,
  sockets: SocketServer,
): void {
  const allowedOrigins = new Set(settings.origins)
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Before the connection is upgraded, no other code handles its errors.
    socket.on('error', () => socket.destroy())
    const key = keyOf(request.url ?? '')
    if (key === undefined) return refuse(socket, '404 Not Found')
    if (draining.now) return refuse(socket, '503 Service Unavailable')
    const { origin } = request.headers
    const host = requestedHost(request, settings.trustProxy)
    if (origin !== undefined && !isAllowedOrigin(origin, host, allowedOrigins))
      return refuse(socket, '403 Forbidden')
    sockets.admit(request, socket, head, key, networkOf(clientAddress(request, settings.trustProxy)))
  }
  app.server.on('upgrade', upgrade)
  // A server waits for its connections when it closes, and WebSockets would stay open.
  app.addHook('preClose', () => sockets.drain())
}
