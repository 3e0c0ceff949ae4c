// The live connection as pages know it: listen, and be told when something may have been missed. Echo comes later.
import type { EventData, EventName } from '#contract/realtime/channels.ts'
import { bearer } from '#src/domain/api/api.ts'
import type { ViewerStore } from '#src/domain/session/viewer.ts'

interface Wish {
  readonly channel: string
  readonly event: EventName
  readonly heard: (data: never) => void
}

export interface Live {
  join(channel: string): void
  leave(channel: string): void
  close(): void
}

export interface LiveEars {
  /** Something was said; it has been parsed. */
  heard(channel: string, event: EventName, data: unknown): void
  /** The connection is there, or gone for a while. */
  connected(socketId: string | undefined): void
  /** Back after a gap, and on all its channels again. */
  recovered(): void
  /** The server will not have this session any more. @returns once it is known who is signed in */
  refused(): Promise<void>
}

/** The first paint, and what it wants to read, go before. */
const LATER = 1500

const wishes = new Set<Wish>()
const recovering = new Set<() => void>()
let viewer: Pick<ViewerStore, 'get' | 'refresh'> | undefined
let owner: string | undefined
let opening: Promise<Live> | undefined
let connected = false

const ears: LiveEars = {
  heard(channel, event, data) {
    for (const wish of wishes) if (wish.channel === channel && wish.event === event) wish.heard(data as never)
  },
  connected(socketId) {
    connected = socketId !== undefined
    bearer.socketId = socketId
  },
  recovered: () => [...recovering].forEach((handler) => handler()),
  refused: async () => viewer?.refresh(),
}

const isWished = (channel: string) => [...wishes].some((it) => it.channel === channel)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let open = async (): Promise<Live> => {
  await pause(LATER)
  const { openLive } = await import('./connection.ts')
  return openLive(ears)
}

function close(): void {
  const leaving = opening
  opening = undefined
  owner = undefined
  ears.connected(undefined)
  void leaving?.then((live) => live.close()).catch(() => undefined)
}

/** A connection belongs to one person: it is opened for them when something is wished for, and ends with them. */
function follow(): void {
  const seen = viewer?.get()
  const who = seen?.is === 'authenticated' && seen.user.deletion_due === undefined ? seen.user.id : undefined
  if (owner !== undefined && owner !== who) close()
  if (who === undefined || opening || wishes.size === 0) return
  owner = who
  const mine = open()
  opening = mine
  mine.then(
    (live) => {
      const channels = new Set([...wishes].map((it) => it.channel))
      if (opening === mine) for (const channel of channels) live.join(channel)
    },
    () => {
      // The part of the app or the address could not be fetched: the next wish tries again.
      if (opening === mine) close()
    },
  )
}

/**
 * From here on there is a connection whenever somebody is signed in and something is listened to.
 * @param opener makes the connection; a test has its own
 */
export function liveFor(
  store: Pick<ViewerStore, 'get' | 'subscribe' | 'refresh'>,
  opener?: (to: LiveEars) => Promise<Live>,
): void {
  viewer = store
  if (opener) open = () => opener(ears)
  store.subscribe(follow)
  follow()
}

/**
 * Listens until told to stop. What is heard says that something changed: the server is asked for it anew.
 * @param channel by the makers in `#contract/realtime/channels.ts`
 */
export function listen<E extends EventName>(
  channel: string,
  event: E,
  heard: (data: EventData<E>) => void,
): () => void {
  const first = !isWished(channel)
  const wish: Wish = { channel, event, heard }
  wishes.add(wish)
  if (first) void opening?.then((live) => isWished(channel) && live.join(channel)).catch(() => undefined)
  follow()
  return () => {
    wishes.delete(wish)
    if (!isWished(channel))
      void opening?.then((live) => isWished(channel) || live.leave(channel)).catch(() => undefined)
  }
}

/** Called when the connection is back after a gap: what was said meanwhile was not heard, so it is read again. */
export function onRecovered(handler: () => void): () => void {
  recovering.add(handler)
  return () => void recovering.delete(handler)
}

/** Whether what is said is heard now; without it pages ask from time to time. */
export const isLive = (): boolean => connected
