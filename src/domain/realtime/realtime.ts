// The live connection of pages: `listen` to events, and `onRecovered` after a gap. Echo is loaded later.
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
  close(): void
}

export interface LiveHandlers {
  /** Something was said; it has been parsed. */
  received(channel: string, event: EventName, data: unknown): void
  /** The connection is there, or gone for a while. */
  connected(socketId: string | undefined): void
  /** Back after a gap, and on all its channels again. */
  recovered(): void
  /** The server will not have this session any more. @returns once it is known who is signed in */
  refused(): Promise<void>
}

/** The first paint, and what it wants to read, go before. */
const LATER = 1500

const subscriptions = new Set<Subscription>()
const recoveries = createSignal()
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
  recovered: recoveries.emit,
  refused: async () => viewer?.refresh(),
}

const hasSubscribers = (channel: string) => [...subscriptions].some((it) => it.channel === channel)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let open = async (): Promise<Live> => {
  await pause(LATER)
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

/** A connection belongs to one person: it is opened for them when a channel has a subscription, and ends with them. */
function follow(): void {
  const seen = viewer?.get()
  const who = seen?.is === 'authenticated' && seen.user.deletion_due === undefined ? seen.user.id : undefined
  if (owner !== undefined && owner !== who) close()
  if (who === undefined || opening || subscriptions.size === 0) return
  owner = who
  const mine = open()
  opening = mine
  mine.then(
    (live) => {
      const channels = new Set([...subscriptions].map((it) => it.channel))
      if (opening === mine) for (const channel of channels) live.join(channel)
    },
    () => {
      // The part of the app or the address could not be fetched: the next subscription tries again.
      if (opening === mine) close()
    },
  )
}

/**
 * From now on a connection is open whenever a person is signed in and a channel has a listener.
 * @param opener opens the connection; replaced in tests
 */
export function liveFor(
  store: Pick<ViewerStore, 'get' | 'subscribe' | 'refresh'>,
  opener?: (to: LiveHandlers) => Promise<Live>,
): void {
  viewer = store
  if (opener) open = () => opener(handlers)
  store.subscribe(follow)
  follow()
}

/**
 * Subscribes until the returned function is called. An event only reports a change: request the data again.
 * @param channel by the makers in `#contract/realtime/channels.ts`
 */
export function listen<E extends EventName>(
  channel: string,
  event: E,
  heard: (data: EventData<E>) => void,
): () => void {
  const first = !hasSubscribers(channel)
  const subscription: Subscription = { channel, event, received: heard }
  subscriptions.add(subscription)
  if (first)
    void opening?.then((live) => hasSubscribers(channel) && live.join(channel)).catch(() => undefined)
  follow()
  return () => {
    subscriptions.delete(subscription)
    if (!hasSubscribers(channel))
      void opening?.then((live) => hasSubscribers(channel) || live.leave(channel)).catch(() => undefined)
  }
}

/** Called when the connection is back after a gap: events in it were missed, so data is read again. */
export const onRecovered = recoveries.subscribe

/** Whether events are received now; without them pages poll. */
export const isLive = (): boolean => connected
