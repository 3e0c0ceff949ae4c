// This process as a server of the Pusher protocol.
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { RawMessage, Realtime, SocketServer } from './realtime.ts'
import type { RedisCommands } from '#server/adapters/redis.ts'
import type { Topics } from '#server/adapters/topics/topics.ts'
import { type Bus, openBus } from './bus.ts'
import { Hub } from './hub.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
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
  /** Where several servers share one Redis. */
  readonly shared?: {
    readonly redis: RedisCommands
    readonly topics: Topics
  }
  readonly limits?: Partial<SocketLimits>
  readonly every?: Every
}

/** How often idle connections are checked, ms. */
const CHECK_INTERVAL = 10_000

/** Opens the server of live connections in this process. */
export function openOwnRealtime(options: OwnOptions): Realtime & { readonly sockets: SocketServer } {
  const { app, clock, shared, every = everyNow } = options
  const limits = { ...usualLimits, ...options.limits }
  const hub = new Hub()
  const bus = shared && openBus(shared.topics, { hub, clock, limits })
  const { send, publishRaw, publish, end } = publishingOf(hub, bus, clock)
  const presence = shared ? createSharedPresence(shared.redis, clock) : createMemoryPresence()
  const handler = new MessageHandler({
    app,
    hub,
    presence,
    clock,
    limits,
    send,
    ready: (channel) => bus?.ready(channel),
  })
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
    bus?.send(channel, bytes, except)
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
    bus?.end(endings)
  }
  return { send, publishRaw, publish, end }
}
