// Sends live messages to other servers, each channel by its own topic.
import * as v from 'valibot'
import type { Ending } from '#contract/realtime/channels.ts'
import { EVERY_SERVER, type Topics } from '#server/adapters/topics/topics.ts'
import type { Hub } from './hub.ts'
import type { SocketLimits } from './limits.ts'

export interface Bus {
  /** Sends to the subscribers of a channel on other servers. @param except id of the connection that caused it */
  send(channel: string, bytes: Buffer, except?: string): void
  end(endings: readonly Ending[]): void
  /** Resolves when messages of other servers on a joined channel arrive, or after a bounded wait. */
  ready(channel: string): Promise<void> | undefined
  close(): void
}

/** The topic of a channel on Redis. */
export const topicOf = (channel: string): string => `todoke:live:${channel}`

const ending: v.GenericSchema<unknown, Ending> = v.variant('is', [
  v.object({ is: v.literal('session'), userId: v.string(), sessionId: v.string() }),
  v.object({ is: v.literal('person'), userId: v.string(), except: v.optional(v.string()) }),
  v.object({ is: v.literal('permissions'), userIds: v.array(v.string()) }),
  v.object({ is: v.literal('channel'), channel: v.string() }),
])
const endings = v.pipe(v.string(), v.parseJson(), v.array(ending))

const SPACE = 0x20

/** A live message: the id of the connection that caused it, if any, a space, and the frame that clients get. */
const packed = (bytes: Buffer, except = ''): Buffer => Buffer.concat([Buffer.from(`${except} `), bytes])

interface BusParts {
  readonly hub: Hub
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly limits: Pick<SocketLimits, 'missedWithin'>
}

/**
 * Subscribes to the channels of this server's connections, and to the endings of connections, which every server gets: also
 * one without a connection of the person, since a grant may arrive after the ending.
 */
export function openBus(topics: Topics, { hub, clock, limits }: BusParts): Bus {
  hub.watch({
    opened: (channel) =>
      topics.subscribe(topicOf(channel), {
        received(message) {
          const cut = message.indexOf(SPACE)
          if (cut >= 0) hub.send(channel, message.subarray(cut + 1), message.toString('latin1', 0, cut))
        },
        missed: () => hub.missed(limits.missedWithin, channel),
      }),
    closed: (channel) => topics.unsubscribe(topicOf(channel)),
  })
  topics.subscribe(EVERY_SERVER, {
    received(message) {
      const read = v.safeParse(endings, message.toString())
      if (read.success) for (const it of read.output) hub.end(it, clock())
    },
    // Access may have ended. A client that reconnects is authorized again for each of its channels.
    missed: () => hub.missed(limits.missedWithin),
  })
  return {
    send: (channel, bytes, except) => topics.publish(topicOf(channel), packed(bytes, except), 'announce'),
    end: (ended) => topics.publish(EVERY_SERVER, Buffer.from(JSON.stringify(ended)), 'repeat'),
    ready(channel) {
      const pending = [topics.ready(topicOf(channel)), topics.ready(EVERY_SERVER)].filter(
        (it) => it !== undefined,
      )
      return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined)
    },
    close: () => topics.unsubscribe(EVERY_SERVER),
  }
}
