// The connection itself: Laravel Echo (reverb) over pusher-js, made once for a page (specification section 7).
import Echo from 'laravel-echo'
import Pusher, { type ChannelAuthorizationCallback } from 'pusher-js'
import * as v from 'valibot'
import { type EventName, events } from '#contract/realtime/channels.ts'
import { authorizeChannel, getRealtime, NOT_WELCOME } from '#contract/realtime/realtime.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { type Address, builtAddress, type Place, placeOf } from './address.ts'
import { createGaps } from './gaps.ts'
import type { Live, LiveHandlers } from './realtime.ts'

/** A hidden page closes its connection after this time, ms, to save battery. */
const HIDDEN = 5 * 60_000
/** A refused page with a session connects again after this time, ms. */
const COME_BACK = 10_000

/** A build may name its place; otherwise the server does. */
const addressOf = async (): Promise<Address> => builtAddress(import.meta.env) ?? (await call(getRealtime, {}))

/** Asks the API as every other call does: with the session of now, and its successor where it was exchanged. */
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

function connect({ key, host, port, path, tls }: Place): { pusher: Pusher; echo: Echo<'reverb'> } {
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

type Gaps = ReturnType<typeof createGaps>

/**
 * Reports when the connection opens, closes and is refused.
 * @returns a function that ends it
 */
function watch(pusher: Pusher, gaps: Gaps, ears: LiveHandlers): () => void {
  let closed = false
  pusher.connection.bind('state_change', ({ current, previous }: { current: string; previous: string }) => {
    if (closed) return
    ears.connected(current === 'connected' ? pusher.connection.socket_id : undefined)
    if (previous === 'connected') gaps.begin(pusher.allChannels().map((it) => it.name))
    if (current === 'connected') gaps.connected()
  })
  pusher.connection.bind(
    'error',
    (it: { data?: { code?: number }; error?: { data?: { code?: number } } }) => {
      if ((it.data?.code ?? it.error?.data?.code) !== NOT_WELCOME || closed) return
      void ears.refused().then(() => setTimeout(() => closed || pusher.connect(), COME_BACK))
    },
  )
  return () => {
    closed = true
  }
}

/** Listens to whatever may be said on a channel. */
function listenTo(echo: Echo<'reverb'>, channel: string, gaps: Gaps, ears: LiveHandlers): void {
  const name = channel.replace(/^(private|presence)-/, '')
  const room = channel.startsWith('presence-') ? echo.join(name) : echo.private(name)
  room.subscribed(() => gaps.answered(channel)).error(() => gaps.answered(channel))
  for (const [event, schema] of Object.entries(events)) {
    room.listen(`.${event}`, (said: unknown) => {
      const read = v.safeParse(schema, said)
      if (read.success) ears.received(channel, event as EventName, read.output)
    })
  }
}

export async function openLive(ears: LiveHandlers): Promise<Live> {
  const { pusher, echo } = connect(placeOf(await addressOf(), location))
  const joined = new Set<string>()
  const gaps = createGaps(() => ears.recovered())
  const stopTelling = watch(pusher, gaps, ears)
  const stopWatching = whileSeen(
    () => pusher.connect(),
    () => pusher.disconnect(),
  )
  return {
    join(channel) {
      if (joined.has(channel)) return
      joined.add(channel)
      listenTo(echo, channel, gaps, ears)
    },
    leave(channel) {
      joined.delete(channel)
      gaps.left(channel)
      echo.leaveChannel(channel)
    },
    close() {
      stopTelling()
      stopWatching()
      echo.disconnect()
    },
  }
}

/** Comes when the page is seen, and goes when it has not been for a while. @returns stops watching */
function whileSeen(come: () => void, go: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') come()
    else timer = setTimeout(go, HIDDEN)
  }
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
