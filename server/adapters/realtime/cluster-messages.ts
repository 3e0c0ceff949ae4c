// Messages between servers on one Redis: live messages and endings of connections.
import * as v from 'valibot'
import type { Ending } from '#contract/realtime/channels.ts'
import type { BusListener } from './bus.ts'
import type { Hub } from './hub.ts'
import { code } from './protocol.ts'

/** After a gap in the messages of other servers, all connections are closed within this time, ms. */
const SPREAD = 5000

const ending: v.GenericSchema<unknown, Ending> = v.variant('is', [
  v.object({ is: v.literal('session'), userId: v.string(), sessionId: v.string() }),
  v.object({ is: v.literal('person'), userId: v.string(), except: v.optional(v.string()) }),
  v.object({ is: v.literal('permissions'), userIds: v.array(v.string()) }),
  v.object({ is: v.literal('channel'), channel: v.string() }),
])

const clusterMessage = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.object({ channel: v.string(), text: v.string(), except: v.optional(v.string()) }),
    v.object({ endings: v.array(ending) }),
  ]),
)

export const publicationMessage = (channel: string, bytes: Buffer, except?: string): string =>
  JSON.stringify({ channel, text: bytes.toString(), except })

export const endingsMessage = (endings: readonly Ending[]): string => JSON.stringify({ endings })

export function busListenerOf(
  hub: Hub,
  connectionChanged: BusListener['connectionChanged'],
  clock: () => number,
): BusListener {
  return {
    connectionChanged,
    received(text) {
      const read = v.safeParse(clusterMessage, text)
      if (!read.success) return
      if ('endings' in read.output) for (const it of read.output.endings) hub.end(it, clock())
      else hub.send(read.output.channel, Buffer.from(read.output.text), read.output.except)
    },
    // A client that reconnects requests missed data, and each of its channels is authorized again.
    recovered() {
      for (const socket of hub.sockets)
        setTimeout(
          () => socket.end('comeBack', `Missed something (${code.comeBack})`),
          Math.random() * SPREAD,
        ).unref()
    },
  }
}
