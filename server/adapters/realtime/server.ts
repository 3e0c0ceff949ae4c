// Our own server of the Pusher protocol.
import type { Redis } from 'ioredis'
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import { REALTIME_PATH } from '#contract/paths.ts'
import type { RawMessage, Realtime, SocketDoor } from './realtime.ts'
import { type Bus, type BusEars, redisBus } from './bus.ts'
import { Hub } from './hub.ts'
import { type SocketLimits, usualLimits } from './limits.ts'
import { earsOf, endingsLine, messageLine } from './cluster-messages.ts'
import { memoryPresence, sharedPresence } from './presence.ts'
import { frame } from './protocol.ts'
import { Reception } from './accept.ts'
import { type App, grantOf, isSigned } from './signature.ts'
import { Talk } from './conversation.ts'
import { type Every, everyNow } from '#server/adapters/intervals.ts'

export interface OwnOptions {
  readonly app: App
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Two connections of their own, where several servers share one Redis. */
  readonly redis?: { readonly speaking: Redis; readonly listening: Redis; readonly told: BusEars['told'] }
  readonly limits?: Partial<SocketLimits>
  readonly every?: Every
}

/** How often everybody is looked after, ms. */
const ROUND = 10_000

/** The server of the sockets in this process. */
export function ownRealtime(options: OwnOptions): Realtime & { readonly door: SocketDoor } {
  const { app, clock, redis, every = everyNow } = options
  const limits = { ...usualLimits, ...options.limits }
  const hub = new Hub()
  const bus = redis && redisBus(redis.speaking, redis.listening, earsOf(hub, redis.told, clock))
  const { say, publishRaw, publish, end } = voiceOf(hub, bus, clock)
  const presence = redis ? sharedPresence(redis.speaking, clock) : memoryPresence()
  const talk = new Talk({ app, hub, presence, clock, limits, say })
  const reception = new Reception({ key: app.key, hub, talk, clock, limits })
  const stopRounds = every(ROUND, async () => {
    reception.look()
    await talk.keepPresent().catch(() => undefined)
  })
  return {
    publish,
    end,
    grant: (joining) => grantOf(app, joining),
    address: { key: app.key, host: null, port: null, scheme: null, path: REALTIME_PATH },
    door: {
      isSigned: (appId, call) => appId === app.id && isSigned(app, call, clock()),
      publishRaw,
      listening: () => hub.listening(),
      drain: () => reception.drain(),
      admit: (...upgrade) => reception.admit(...upgrade),
    },
    async close() {
      stopRounds()
      await reception.drain()
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
