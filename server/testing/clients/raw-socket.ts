// A WebSocket client that sends any bytes and never replies by itself.
import { type ClientOptions, WebSocket } from 'ws'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { World } from '#server/testing/world.ts'

interface Frame {
  readonly event: string
  readonly data: unknown
  readonly channel?: string
}

export interface RawSocket {
  readonly ws: WebSocket
  readonly id: string
  readonly frames: Frame[]
  /** Code and reason of the close. */
  readonly closed: Promise<{ code: number; message: string }>
  send(frame: object): void
  /** Waits until the server has read all sent frames. */
  read(): Promise<void>
  /** Subscribes as this person, authorized by the server's own signature. */
  join(channel: string, userId: string): void
}

/** Opens a connection. @returns the socket, or the status with which the upgrade was refused */
export async function openRawSocket(world: World, options: ClientOptions = {}): Promise<RawSocket | number> {
  const { realtime } = world.deps
  const url = `${world.origin.replace('http', 'ws')}${REALTIME_PATH}/app/${realtime.address.key}?protocol=7`
  const ws = new WebSocket(url, options)
  const frames: Frame[] = []
  const closed = new Promise<{ code: number; message: string }>((resolve) => {
    ws.on('close', (code, why) => resolve({ code, message: why.toString() }))
  })
  const idOrStatus = await new Promise<string | number>((resolve, reject) => {
    ws.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
    ws.on('error', reject)
    ws.on('message', (bytes: Buffer) => {
      const received = JSON.parse(bytes.toString()) as Frame
      frames.push(received)
      if (received.event === 'pusher:connection_established')
        resolve((JSON.parse(String(received.data)) as { socket_id: string }).socket_id)
    })
    void closed.then(() => resolve(''))
  })
  if (typeof idOrStatus === 'number') return idOrStatus
  const send = (frame: object) => ws.send(JSON.stringify(frame))
  return {
    ws,
    id: idOrStatus,
    frames,
    closed,
    send,
    // Sends a WebSocket ping, to which the server's library replies after it has read earlier frames.
    read: () => new Promise((resolve) => (ws.once('pong', () => resolve()), ws.ping())),
    join(channel, userId) {
      const grant = realtime.grant({
        socketId: idOrStatus,
        channel,
        sessionId: `session of ${userId}`,
        person: { id: userId, name: 'x' },
        at: world.deps.clock(),
      })
      send({ event: 'pusher:subscribe', data: { channel, ...grant } })
    },
  }
}
