// Accepts connections, closes silent ones, and drains them at shutdown.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Hub } from './hub.ts'
import { MAX_FRAME_BYTES, type SocketLimits } from './limits.ts'
import { ACTIVITY_S } from './protocol.ts'
import { LiveSocket } from './socket.ts'
import type { MessageHandler } from './message-handler.ts'

/** Timeout of the reply to a ping of a silent connection, ms. */
const PONG_TIMEOUT = 30_000
/** Supported versions of the protocol. */
const VERSIONS = new Set(['5', '6', '7'])
/** Longest wait for connections to close at a shutdown, ms. */
const DRAIN = 2500

interface AcceptorParts {
  readonly key: string
  readonly hub: Hub
  readonly handler: MessageHandler
  readonly clock: () => number
  readonly limits: SocketLimits
}

/** Share of the time of leaving before the first connection is closed: a load balancer has to notice it first. */
const LEAVE_FROM = 0.2
/** Share of that time until the last connection is closed. */
const LEAVE_UNTIL = 0.9

export class Acceptor {
  readonly #parts: AcceptorParts
  readonly #wss = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, clientTracking: false })

  /** When the last connection is closed, ms of `performance.now()`; undefined while the server stays. */
  #leaveBy: number | undefined

  constructor(parts: AcceptorParts) {
    this.#parts = parts
  }

  /** Upgrades a request to a connection. @param network of the client, as limits count it */
  admit(request: IncomingMessage, socket: Duplex, head: Buffer, key: string, network: string): void {
    const { hub, limits } = this.#parts
    if (hub.unauthorizedFrom(network) >= limits.unauthorized) {
      socket.end('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n\r\n')
      return
    }
    const { searchParams } = new URL(request.url ?? '', 'http://here')
    const version = searchParams.get('protocol') ?? '7'
    this.#wss.handleUpgrade(request, socket, head, (ws) => this.#greet(ws, network, key, version))
  }

  #greet(ws: WebSocket, network: string, key: string, version: string): void {
    const { hub, handler, clock, limits } = this.#parts
    const socket = new LiveSocket(ws, network, clock())
    ws.on('error', () => ws.terminate())
    if (key !== this.#parts.key) return socket.end('unknownApp', 'Application does not exist')
    if (!VERSIONS.has(version)) return socket.end('wrongVersion', 'Unsupported protocol version')
    if (hub.sockets.size >= limits.sockets) return socket.end('full', 'Over capacity')
    hub.add(socket)
    ws.on('message', (bytes: Buffer, isBinary) => handler.received(socket, isBinary ? '' : bytes.toString()))
    ws.on('close', () => handler.closed(socket))
    socket.emit('pusher:connection_established', { socket_id: socket.id, activity_timeout: ACTIVITY_S })
    if (this.#leaveBy !== undefined)
      closeAfter(socket, Math.random() * Math.max(0, this.#leaveBy - performance.now()))
  }

  /** Pings silent connections, closes those without a reply, and those without a channel. */
  checkSilent(): void {
    const { hub, clock, limits } = this.#parts
    const now = clock()
    for (const socket of hub.sockets) {
      const silent = now - socket.lastMessageAt
      if (!socket.owner && now - socket.opened > limits.joinWithin)
        socket.end('unauthorized', 'Joined no channel')
      else if (silent > ACTIVITY_S * 1000 + PONG_TIMEOUT) socket.end('noPong', 'Pong reply not received')
      else if (silent > ACTIVITY_S * 1000) socket.ping()
    }
  }

  /** Closes the connections evenly within a time, so that their clients do not reconnect all at once. */
  leave(within: number): void {
    const sockets = [...this.#parts.hub.sockets]
    const [first, last] = [within * LEAVE_FROM, within * LEAVE_UNTIL]
    this.#leaveBy = performance.now() + last
    sockets.forEach((socket, i) => closeAfter(socket, first + ((last - first) * i) / sockets.length))
  }

  /** Requests all clients to reconnect, to another server or after the restart. */
  async drain(): Promise<void> {
    const { sockets } = this.#parts.hub
    for (const socket of sockets) socket.end('comeBack', 'Server is stopping')
    const giveUpAt = Date.now() + DRAIN
    while (sockets.size > 0 && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function closeAfter(socket: LiveSocket, ms: number): void {
  setTimeout(() => socket.end('comeBack', 'Server stops soon'), ms).unref()
}
