// This process as a server of the Pusher protocol.
import type { Redis } from 'ioredis'
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { RawMessage, Realtime, SocketServer } from './realtime.ts'
import { type Bus, type BusListener, openBus } from './bus.ts'
import { Hub } from './hub.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { busListenerOf, endingsMessage, publicationMessage } from './cluster-messages.ts'
import { createMemoryPresence, createSharedPresence } from './presence.ts'
import { frame } from './protocol.ts'
import { Acceptor } from './acceptor.ts'
import { type App, grantOf, isSigned } from './signature.ts'
import { MessageHandler } from './message-handler.ts'
import { type Every, everyNow } from '#server/adapters/intervals.ts'

export interface OwnOptions {
  readonly app: App
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Where several servers share one Redis: the connections that publish and subscribe. */
  readonly redis?: {
    readonly publisher: Redis
    readonly subscriber: Redis
    readonly connectionChanged: BusListener['connectionChanged']
  }
  readonly limits?: Partial<SocketLimits>
  readonly every?: Every
}

/** How often idle connections are checked, ms. */
const CHECK_INTERVAL = 10_000

/** Opens the server of live connections in this process. */
export function openOwnRealtime(options: OwnOptions): Realtime & { readonly sockets: SocketServer } {
  const { app, clock, redis, every = everyNow } = options
  const limits = { ...usualLimits, ...options.limits }
  const hub = new Hub()
  const bus =
    redis && openBus(redis.publisher, redis.subscriber, busListenerOf(hub, redis.connectionChanged, clock))
  const { send, publishRaw, publish, end } = publishingOf(hub, bus, clock)
  const presence = redis ? createSharedPresence(redis.publisher, clock) : createMemoryPresence()
  const handler = new MessageHandler({ app, hub, presence, clock, limits, send })
  const acceptor = new Acceptor({ key: app.key, hub, handler, clock, limits })
  const stopChecks = every(CHECK_INTERVAL, async () => {
    acceptor.checkSilent()
    await handler.refreshPresence().catch(() => undefined)
  })
  return {
    publish,
    end,
    grant: (request) => grantOf(app, request),
    address: { key: app.key, host: null, port: null, scheme: null, path: REALTIME_PATH },
    sockets: {
      isSigned: (appId, call) => appId === app.id && isSigned(app, call, clock()),
      publishRaw,
      connections: () => hub.openConnections(),
      counts: () => ({
        known: hub.sockets.size - hub.unauthorized.size,
        unknown: hub.unauthorized.size,
      }),
      isConnected: (userId) => hub.hasPerson(userId) || (bus ? undefined : false),
      leave: (within) => acceptor.leave(within),
      drain: () => acceptor.drain(),
      admit: (...upgrade) => acceptor.admit(...upgrade),
    },
    async close() {
      stopChecks()
      await acceptor.drain()
      bus?.close()
    },
  }
}

/** Functions that publish on this server and on every other one. */
function publishingOf(hub: Hub, bus: Bus | undefined, clock: () => number) {
  const send = (channel: string, bytes: Buffer, except?: string): void => {
    hub.send(channel, bytes, except)
    bus?.send(publicationMessage(channel, bytes, except))
  }
  const publishRaw = (messages: readonly RawMessage[]): void => {
    for (const { channels, event, data, except } of messages)
      for (const channel of channels) send(channel, frame(event, data, channel), except)
  }
  const publish = (messages: readonly LiveMessage[]): void => {
    for (const { channel, event, data, except } of messages)
      send(channel, frame(event, data, channel), except)
  }
  const end = (endings: readonly Ending[]): void => {
    for (const it of endings) hub.end(it, clock())
    bus?.send(endingsMessage(endings))
  }
  return { send, publishRaw, publish, end }
}
