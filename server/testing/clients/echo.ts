// Clients of the live connection for tests: Laravel Echo over pusher-js.
import Echo from 'laravel-echo'
import Pusher, { type ChannelAuthorizationCallback } from 'pusher-js'
import { type EventName, events } from '#contract/realtime/channels.ts'
import { API_BASE, REALTIME_PATH } from '#contract/paths.ts'
import type { Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export interface Listener {
  readonly echo: Echo<'reverb'>
  readonly pusher: Pusher
  /** Received events: channel, event, data. */
  readonly received: [string, string, unknown][]
  /** Subscribes. @returns 'joined', or the status of the refusal */
  join(channel: string): Promise<'joined' | number>
  /** Resolves when the connection has this state. */
  waitForState(state: string): Promise<void>
  close(): void
}

export interface EchoOptions {
  readonly key?: string
  /** Address of the sockets, if not on this test server. */
  readonly port?: number
  /** Makes grants without the API. */
  readonly grant?: (socketId: string, channel: string) => { auth: string; channel_data?: string }
}

/** Connects as a page of this member does (specification section 7). */
export async function openEcho(
  world: Pick<World, 'origin' | 'deps'>,
  { token }: Pick<Member, 'token'>,
  {
    key = world.deps.realtime.address.key,
    port = Number(new URL(world.origin).port),
    grant,
  }: EchoOptions = {},
): Promise<Listener> {
  const handler = grant && {
    channelAuthorization: {
      transport: 'ajax' as const,
      endpoint: '',
      customHandler: (it: { socketId: string; channelName: string }, done: ChannelAuthorizationCallback) =>
        done(null, grant(it.socketId, it.channelName)),
    },
  }
  const settings = {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: port,
    wsPath: REALTIME_PATH,
    forceTLS: false,
    enableStats: false,
    enabledTransports: ['ws' as const],
    authEndpoint: `${world.origin}${API_BASE}/broadcasting/auth`,
    auth: { headers: { Authorization: `Bearer ${token}` } },
    ...handler,
  }
  const pusher = new Pusher(key, settings)
  const echo = new Echo({ broadcaster: 'reverb', key, client: pusher, ...settings })
  const received: [string, string, unknown][] = []
  const waitForState = (state: string) =>
    new Promise<void>((resolve) => {
      if (pusher.connection.state === state) return resolve()
      const onChange = ({ current }: { current: string }) => {
        if (current !== state) return
        pusher.connection.unbind('state_change', onChange)
        resolve()
      }
      pusher.connection.bind('state_change', onChange)
    })
  return {
    echo,
    pusher,
    received,
    waitForState,
    join(channel) {
      const it = pusher.subscribe(channel)
      for (const name of Object.keys(events) as EventName[])
        it.bind(name, (data: unknown) => void received.push([channel, name, data]))
      return new Promise((resolve) => {
        it.bind('pusher:subscription_succeeded', () => resolve('joined'))
        it.bind('pusher:subscription_error', ({ status }: { status: number }) => resolve(status))
      })
    },
    close: () => echo.disconnect(),
  }
}

/** Connects a person whose grants are signed with the server's own key, for every channel. */
export const openGranted = (
  world: Pick<World, 'origin' | 'deps'>,
  { userId, sessionId, name }: { userId: string; sessionId: string; name: string },
  now: () => number,
): Promise<Listener> => {
  const person = { id: userId, name }
  return openEcho(
    world,
    { token: '' },
    {
      grant: (socketId, channel) =>
        world.deps.realtime.grant({ socketId, channel, sessionId, person, at: now() }),
    },
  )
}

/** Resolves to the close code of a connection; a client does not reconnect after codes 40xx. */
export const closeCode = ({ pusher }: Listener) =>
  new Promise<{ code?: number; message?: string }>((resolve) => {
    pusher.connection.bind('error', (it: { data?: { code?: number; message?: string } }) =>
      resolve({ ...it.data }),
    )
  })

/** The result of the channel's next subscription: 'joined', or the status of the refusal. */
export const nextSubscription = ({ pusher }: Listener, name: string) =>
  new Promise<'joined' | number>((resolve) => {
    const channel = pusher.channel(name)
    channel.bind('pusher:subscription_succeeded', () => resolve('joined'))
    channel.bind('pusher:subscription_error', ({ status }: { status: number }) => resolve(status))
  })
