// Publishes to an external Reverb, Soketi or Pusher, and signs grants of its channels.
import Pusher from 'pusher'
import type { Ending } from '#contract/realtime/channels.ts'
import type { Realtime, RealtimeAddress } from './realtime.ts'
import type { App } from './signature.ts'

export interface Service {
  readonly app: App
  /** The address to which this server publishes. */
  readonly host: string
  readonly port: number
  readonly https: boolean
  /** The address to which browsers connect. */
  readonly browsers: RealtimeAddress
}

/** Most messages in one call. */
const BATCH = 10
/** Timeout of a call, ms. */
const TIMEOUT = 5000

/**
 * @param onChange called once when the service does not reply, with the error, and once when it replies again
 */
export function openServiceRealtime(
  { app, host, port, https, browsers }: Service,
  onChange: (isConnected: boolean, why?: unknown) => void,
): Realtime {
  const { id: appId, key, secret } = app
  const pusher = new Pusher({
    appId,
    key,
    secret,
    host,
    port: String(port),
    useTLS: https,
    timeout: TIMEOUT,
  })
  let isConnected = true
  const report = (now: boolean, why?: unknown) => {
    if (now !== isConnected) onChange(now, why)
    isConnected = now
  }
  // Only the message is reported: the library's errors have the signed address of the call.
  const track = (call: Promise<unknown>) =>
    void call.then(
      () => report(true),
      (error: unknown) => report(false, error instanceof Error ? new Error(error.message) : undefined),
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
        track(pusher.triggerBatch(batch))
      }
    },
    // The protocol can only end all connections of a person; those of other sessions reconnect.
    end: (endings) =>
      endings.flatMap(peopleOf).forEach((userId) => track(pusher.terminateUserConnections(userId))),
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
    case 'permissions':
      return ending.userIds
    // Connected members receive events until they reconnect.
    case 'channel':
      return []
    default:
      return ending satisfies never
  }
}
