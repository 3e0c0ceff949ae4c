// Our own server of the Pusher protocol.
import type { Redis } from 'ioredis'
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { RawMessage, Realtime, SocketServer } from './realtime.ts'
import { type Bus, type BusListener, openBus } from './bus.ts'
import { Hub } from './hub.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { busListenerOf, endingsLine, messageLine } from './cluster-messages.ts'
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
  /** Two connections of their own, where several servers share one Redis. */
  readonly redis?: {
    readonly speaking: Redis
    readonly listening: Redis
    readonly connectionChanged: BusListener['connectionChanged']
  }
  readonly limits?: Partial<SocketLimits>
  readonly every?: Every
}

/** How often idle connections are checked, ms. */
const ROUND = 10_000

/** The server of the sockets in this process. */
export function openOwnRealtime(options: OwnOptions): Realtime & { readonly sockets: SocketServer } {
  const { app, clock, redis, every = everyNow } = options
  const limits = { ...usualLimits, ...options.limits }
  const hub = new Hub()
  const bus =
    redis && openBus(redis.speaking, redis.listening, busListenerOf(hub, redis.connectionChanged, clock))
  const { say, publishRaw, publish, end } = voiceOf(hub, bus, clock)
  const presence = redis ? createSharedPresence(redis.speaking, clock) : createMemoryPresence()
  const handler = new MessageHandler({ app, hub, presence, clock, limits, say })
  const acceptor = new Acceptor({ key: app.key, hub, handler, clock, limits })
  const stopRounds = every(ROUND, async () => {
    acceptor.look()
    await handler.keepPresent().catch(() => undefined)
  })
  return {
    publish,
    end,
    grant: (joining) => grantOf(app, joining),
    address: { key: app.key, host: null, port: null, scheme: null, path: REALTIME_PATH },
    sockets: {
      isSigned: (appId, call) => appId === app.id && isSigned(app, call, clock()),
      publishRaw,
      connections: () => hub.listening(),
      drain: () => acceptor.drain(),
      admit: (...upgrade) => acceptor.admit(...upgrade),
    },
    async close() {
      stopRounds()
      await acceptor.drain()
      bus?.close()
    },
  }
}

/** What is said here is said on every server. */
function voiceOf(hub: Hub, bus: Bus | undefined, clock: () => number) {
  const say = (channel: string, bytes: Buffer, except?: string): void => {
    hub.say(channel, bytes, except)
    bus?.send(messageLine(channel, bytes, except))
  }
  const publishRaw = (messages: readonly RawMessage[]): void => {
    for (const { channels, event, data, except } of messages)
      for (const channel of channels) say(channel, frame(event, data, channel), except)
  }
  const publish = (messages: readonly LiveMessage[]): void => {
    for (const { channel, event, data, except } of messages) say(channel, frame(event, data, channel), except)
  }
  const end = (endings: readonly Ending[]): void => {
    for (const it of endings) hub.end(it, clock())
    bus?.send(endingsLine(endings))
  }
  return { say, publishRaw, publish, end }
}
