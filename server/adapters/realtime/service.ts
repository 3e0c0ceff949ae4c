// Publishes to a Reverb, Soketi or Pusher elsewhere, and signs for its channels.
import Pusher from 'pusher'
import type { Ending } from '#contract/realtime/channels.ts'
import type { Realtime, RealtimeAddress } from './realtime.ts'
import type { App } from './signature.ts'

export interface Service {
  readonly app: App
  /** Where we publish. */
  readonly host: string
  readonly port: number
  readonly https: boolean
  /** Where browsers connect. */
  readonly browsers: RealtimeAddress
}

/** A service takes this many messages at once. */
const BATCH = 10
const PATIENCE = 5000

/**
 * @param told called once when the service does not reply, with the reason, and once when it replies again
 */
export function openServiceRealtime(
  { app, host, port, https, browsers }: Service,
  told: (isThere: boolean, why?: unknown) => void,
): Realtime {
  const { id: appId, key, secret } = app
  const pusher = new Pusher({
    appId,
    key,
    secret,
    host,
    port: String(port),
    useTLS: https,
    timeout: PATIENCE,
  })
  let isThere = true
  const tell = (now: boolean, why?: unknown) => {
    if (now !== isThere) told(now, why)
    isThere = now
  }
  // The library's errors carry the signed address of the call.
  const ask = (call: Promise<unknown>) =>
    void call.then(
      () => tell(true),
      (error: unknown) => tell(false, error instanceof Error ? new Error(error.message) : undefined),
    )
  return {
    publish(messages) {
      for (let i = 0; i < messages.length; i += BATCH) {
        const batch = messages.slice(i, i + BATCH).map(({ channel, event, data, except }) => ({
          channel,
          name: event,
          data,
          ...(except !== undefined && { socket_id: except }),
        }))
        ask(pusher.triggerBatch(batch))
      }
    },
    // The protocol ends all connections of a person, not of one session; other sessions reconnect by themselves.
    end: (endings) =>
      endings.flatMap(peopleOf).forEach((userId) => ask(pusher.terminateUserConnections(userId))),
    grant({ socketId, channel, person }) {
      if (!channel.startsWith('presence-')) return pusher.authorizeChannel(socketId, channel)
      return pusher.authorizeChannel(socketId, channel, {
        user_id: person.id,
        user_info: { name: person.name },
      })
    },
    address: browsers,
    close: async () => undefined,
  }
}

function peopleOf(ending: Ending): readonly string[] {
  switch (ending.is) {
    case 'session':
    case 'person':
      return [ending.userId]
    case 'standing':
      return ending.userIds
    // Connected members receive events until they reconnect.
    case 'channel':
      return []
    default:
      return ending satisfies never
  }
}
