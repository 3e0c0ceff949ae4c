// The live connection of a page: `listen` to events, `onRecovered` after a gap.
import type { EventData, EventName } from '#contract/realtime/channels.ts'
import { createSignal } from '#src/lib/store.ts'
import { bearer } from '#src/domain/api/api.ts'
import type { ViewerStore } from '#src/domain/session/viewer.ts'

interface Subscription {
  readonly channel: string
  readonly event: EventName
  readonly received: (data: never) => void
}

export interface Live {
  join(channel: string): void
  leave(channel: string): void
  /** Reports typing on a joined channel. */
  type(channel: string): void
  close(): void
}

export interface LiveHandlers {
  /** An event was received and parsed. */
  received(channel: string, event: EventName, data: unknown): void
  /** The connection opened, or closed for a while. */
  connected(socketId: string | undefined): void
  /** A channel was joined, for the first time or again. */
  joined(channel: string): void
  /** The connection has joined all its channels again after a gap. */
  recovered(): void
  /** The server refused the session. @returns after a check of the session */
  refused(): Promise<void>
}

/** Delay, so that the first paint and its reads come first, ms. */
const OPEN_DELAY = 1500
/** Time after which a connection that could not be opened is tried again, ms. */
const OPEN_AGAIN = 10_000

const subscriptions = new Set<Subscription>()
const recoveries = createSignal()
/** Listeners of joined channels. */
const joins = new Set<(channel: string) => void>()
let viewer: Pick<ViewerStore, 'get' | 'refresh'> | undefined
let owner: string | undefined
let opening: Promise<Live> | undefined
let connected = false

const handlers: LiveHandlers = {
  received(channel, event, data) {
    for (const subscription of subscriptions)
      if (subscription.channel === channel && subscription.event === event)
        subscription.received(data as never)
  },
  connected(socketId) {
    connected = socketId !== undefined
    bearer.socketId = socketId
  },
  joined(channel) {
    for (const listener of joins) listener(channel)
  },
  recovered: recoveries.emit,
  refused: async () => viewer?.refresh(),
}

const hasSubscribers = (channel: string) => [...subscriptions].some((it) => it.channel === channel)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let open = async (): Promise<Live> => {
  await pause(OPEN_DELAY)
  const { openLive } = await import('./connection.ts')
  return openLive(handlers)
}

function close(): void {
  const leaving = opening
  opening = undefined
  owner = undefined
  handlers.connected(undefined)
  void leaving?.then((live) => live.close()).catch(() => undefined)
}

/** Opens the person's connection at the first subscription, and closes the one of another person. */
function update(): void {
  const seen = viewer?.get()
  const who = seen?.is === 'authenticated' && seen.user.deletion_due === undefined ? seen.user.id : undefined
  if (owner !== undefined && owner !== who) close()
  if (who === undefined || opening || subscriptions.size === 0) return
  owner = who
  const pending = open()
  opening = pending
  pending.then(
    (live) => {
      const channels = new Set([...subscriptions].map((it) => it.channel))
      if (opening === pending) for (const channel of channels) live.join(channel)
    },
    () => {
      // The code or the address could not be fetched.
      if (opening !== pending) return
      close()
      setTimeout(update, OPEN_AGAIN)
    },
  )
}

/**
 * Connects the live connection to the viewer: it is open while a person is signed in and a channel has a listener.
 * @param opener opens the connection; replaced in tests
 */
export function liveFor(
  store: Pick<ViewerStore, 'get' | 'subscribe' | 'refresh'>,
  opener?: (to: LiveHandlers) => Promise<Live>,
): void {
  viewer = store
  if (opener) open = () => opener(handlers)
  store.subscribe(update)
  update()
}

/**
 * Subscribes until the returned function is called. An event only reports a change: request the data again.
 * @param channel by the makers in `#contract/realtime/channels.ts`
 */
export function listen<E extends EventName>(
  channel: string,
  event: E,
  onData: (data: EventData<E>) => void,
): () => void {
  const first = !hasSubscribers(channel)
  const subscription: Subscription = { channel, event, received: onData }
  subscriptions.add(subscription)
  if (first)
    void opening?.then((live) => hasSubscribers(channel) && live.join(channel)).catch(() => undefined)
  update()
  return () => {
    subscriptions.delete(subscription)
    if (!hasSubscribers(channel))
      void opening?.then((live) => hasSubscribers(channel) || live.leave(channel)).catch(() => undefined)
  }
}

/** Reports on the channel of a conversation that the person types; lost without a connection. */
export const sendTyping = (channel: string): void =>
  void opening?.then((live) => live.type(channel)).catch(() => undefined)

/** Subscribes to recoveries after a gap, in which events were missed. */
export const onRecovered = recoveries.subscribe

/**
 * Subscribes to joins of a channel. Events before the first one were not received, so that data that was read before it
 * may be old.
 */
export function onJoined(channel: string, listener: () => void): () => void {
  const onJoin = (it: string) => it === channel && listener()
  joins.add(onJoin)
  return () => void joins.delete(onJoin)
}

/** Whether events are received; otherwise pages poll. */
export const isLive = (): boolean => connected
