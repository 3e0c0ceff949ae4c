// Opens the live connection: Laravel Echo (reverb) over pusher-js (specification section 7).
import Echo from 'laravel-echo'
import Pusher, { type ChannelAuthorizationCallback } from 'pusher-js'
import * as v from 'valibot'
import { type EventName, events, TYPING } from '#contract/realtime/channels.ts'
import { authorizeChannel, getRealtime, NOT_WELCOME } from '#contract/realtime/realtime.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { type Address, builtAddress, type ConnectionTarget, targetOf } from './address.ts'
import { createGaps } from './gaps.ts'
import type { Live, LiveHandlers } from './realtime.ts'

/** A hidden page closes its connection after this time, ms, to save battery. */
const HIDDEN_MS = 5 * 60_000
/** A refused page with a session connects again after this time, ms. */
const RECONNECT_MS = 10_000
/** Pusher waits for up to a minute between two attempts; after this time without a connection they begin anew, ms. */
const ANEW_MS = 10_000

/** The address of the build or, without one, of the server. */
const addressOf = async (): Promise<Address> => builtAddress(import.meta.env) ?? (await call(getRealtime, {}))

/** Authorizes a channel by an API call, with the current session. */
function authorize(
  { socketId, channelName }: { socketId: string; channelName: string },
  done: ChannelAuthorizationCallback,
): void {
  const body = { socket_id: socketId, channel_name: channelName }
  call(authorizeChannel, { body }).then(
    ({ auth, channel_data: data }) => done(null, { auth, ...(data !== undefined && { channel_data: data }) }),
    (error: unknown) => done(new Error(error instanceof ApiFailure ? error.code : 'unknown'), null),
  )
}

function connect({ key, host, port, path, tls }: ConnectionTarget): { pusher: Pusher; echo: Echo<'reverb'> } {
  const settings = {
    wsHost: host,
    wsPort: port,
    wssPort: port,
    wsPath: path,
    forceTLS: tls,
    enableStats: false,
    enabledTransports: ['ws' as const, 'wss' as const],
    channelAuthorization: { transport: 'ajax' as const, endpoint: '', customHandler: authorize },
  }
  const pusher = new Pusher(key, { cluster: '', ...settings })
  return { pusher, echo: new Echo({ broadcaster: 'reverb', key, client: pusher, ...settings }) }
}

/** Begins the attempts anew, unless the connection is open by now or the page is hidden. */
function connectAnew(pusher: Pusher): void {
  if (pusher.connection.state !== 'unavailable') return
  pusher.disconnect()
  pusher.connect()
}

type Gaps = ReturnType<typeof createGaps>

/**
 * Reports when the connection opens, closes and is refused.
 * @returns a function that ends it
 */
function watch(pusher: Pusher, gaps: Gaps, handlers: LiveHandlers): () => void {
  let closed = false
  pusher.connection.bind('state_change', ({ current, previous }: { current: string; previous: string }) => {
    if (closed) return
    handlers.connected(current === 'connected' ? pusher.connection.socket_id : undefined)
    if (previous === 'connected') gaps.begin(pusher.allChannels().map((it) => it.name))
    if (current === 'connected') gaps.connected()
    if (current === 'unavailable') setTimeout(() => closed || connectAnew(pusher), ANEW_MS)
  })
  pusher.connection.bind(
    'error',
    (it: { data?: { code?: number }; error?: { data?: { code?: number } } }) => {
      if ((it.data?.code ?? it.error?.data?.code) !== NOT_WELCOME || closed) return
      void handlers.refused().then(() => setTimeout(() => closed || pusher.connect(), RECONNECT_MS))
    },
  )
  return () => {
    closed = true
  }
}

/** Subscribes to all events of a channel. */
function listenTo(echo: Echo<'reverb'>, channel: string, gaps: Gaps, handlers: LiveHandlers): void {
  const name = channel.replace(/^(private|presence)-/, '')
  const room = channel.startsWith('presence-') ? echo.join(name) : echo.private(name)
  room
    .subscribed(() => {
      gaps.answered(channel)
      handlers.joined(channel)
    })
    .error(() => gaps.answered(channel))
  for (const [event, schema] of Object.entries(events)) {
    // The second argument has the sender of a client's event, as the server knows it.
    room.listen(`.${event}`, (data: object, sender: object) => {
      const read = v.safeParse(schema, { ...data, ...sender })
      if (read.success) handlers.received(channel, event as EventName, read.output)
    })
  }
}

export async function openLive(handlers: LiveHandlers): Promise<Live> {
  const { pusher, echo } = connect(targetOf(await addressOf(), location))
  const joined = new Set<string>()
  const gaps = createGaps(() => handlers.recovered())
  const stopEvents = watch(pusher, gaps, handlers)
  const stopVisibility = onVisibility(
    () => pusher.connect(),
    () => pusher.disconnect(),
  )
  return {
    join(channel) {
      if (joined.has(channel)) return
      joined.add(channel)
      listenTo(echo, channel, gaps, handlers)
    },
    leave(channel) {
      joined.delete(channel)
      gaps.left(channel)
      echo.leaveChannel(channel)
    },
    type(channel) {
      const room = pusher.channel(channel)
      if (room?.subscribed) room.trigger(TYPING, {})
    },
    close() {
      stopEvents()
      stopVisibility()
      echo.disconnect()
    },
  }
}

/** Calls `come` when the page is visible, and `go` when it was hidden for a while. @returns stops */
function onVisibility(come: () => void, go: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') come()
    else timer = setTimeout(go, HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
