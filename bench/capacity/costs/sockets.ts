// Live connections of a cost measurement, with grants that the bench signs.
import { WebSocket } from 'ws'
import { personChannel } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import { VIEWERS } from '#bench/rig/feed-data.ts'
import { grantOf } from '#bench/realtime/grant.ts'
import { viewer } from './people.ts'
import type { CostRig } from './rig.ts'

/** Connections opened at the same time, below the limit of unauthorized ones. */
const AT_ONCE = 50

interface Listener {
  /** Number of the connection: those of one person are limited. */
  readonly n: number
  readonly channels: readonly string[]
  /** Called with the name of each event. */
  readonly received?: (event: string) => void
}

function open({ app }: CostRig, url: string, { n, channels, received }: Listener): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${REALTIME_PATH}/app/${app.key}?protocol=7`)
  let joined = 0
  return new Promise((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('message', (bytes: Buffer) => {
      const { event, data } = JSON.parse(bytes.toString()) as { event: string; data: string }
      received?.(event)
      if (event === 'pusher:ping') socket.send(JSON.stringify({ event: 'pusher:pong', data: {} }))
      if (event === 'pusher_internal:subscription_succeeded' && ++joined === channels.length) resolve(socket)
      if (event !== 'pusher:connection_established') return
      const { socket_id: socketId } = JSON.parse(data) as { socket_id: string }
      for (const channel of channels)
        socket.send(
          JSON.stringify({ event: 'pusher:subscribe', data: grantOf(app, { socketId, channel, n }) }),
        )
    })
  })
}

/** Opens connections in groups. */
export async function openSockets(
  rig: CostRig,
  url: string,
  listeners: readonly Listener[],
): Promise<WebSocket[]> {
  const all: WebSocket[] = []
  for (let from = 0; from < listeners.length; from += AT_ONCE)
    all.push(...(await Promise.all(listeners.slice(from, from + AT_ONCE).map((it) => open(rig, url, it)))))
  return all
}

export function closeSockets(all: readonly WebSocket[]): void {
  for (const it of all) it.removeAllListeners('close').terminate()
}

export interface LivePeople {
  /** How many events of this name all of them have received. */
  received(event: string): number
  close(): void
}

/** Connects every viewer to the own channel, so that writes reach live recipients. */
export async function connectViewers(rig: CostRig): Promise<LivePeople> {
  const counts = new Map<string, number>()
  const received = (event: string) => void counts.set(event, (counts.get(event) ?? 0) + 1)
  const listeners = Array.from({ length: VIEWERS }, (_, n) => ({
    n,
    channels: [personChannel(viewer(n).id)],
    received,
  }))
  const sockets = await openSockets(rig, rig.nginx.url, listeners)
  return { received: (event) => counts.get(event) ?? 0, close: () => closeSockets(sockets) }
}
