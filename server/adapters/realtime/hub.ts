// Connections of this process, by channel and by person.
import type { Ending } from '#contract/realtime/channels.ts'
import { channelOf } from '#contract/realtime/channels.ts'
import type { OpenConnection } from './realtime.ts'
import type { LiveSocket } from './socket.ts'
import type { Granted } from './signature.ts'

/** How long an ending is stored, ms: a grant, valid for a minute, may arrive after it. */
const ENDING_STORED = 120_000

/** How long before a grant its session may have been read, ms. */
const SESSION_READ = 1000

/** Called with a channel that gets its first subscriber here, and with one that loses its last. */
export interface ChannelWatcher {
  opened(channel: string): void
  closed(channel: string): void
}

export class Hub {
  #watcher: ChannelWatcher | undefined
  readonly sockets = new Set<LiveSocket>()
  /** Connections without an authorized channel, whose person is unknown. */
  readonly unauthorized = new Set<LiveSocket>()
  readonly #channels = new Map<string, Set<LiveSocket>>()
  readonly #people = new Map<string, Set<LiveSocket>>()
  readonly #ended = new Map<string, { at: number; except?: string | undefined }>()

  add(socket: LiveSocket): void {
    this.sockets.add(socket)
    this.unauthorized.add(socket)
  }

  unauthorizedFrom(network: string): number {
    let count = 0
    for (const it of this.unauthorized) if (it.network === network) count += 1
    return count
  }

  /** Sends to all subscribers of a channel. @param except id of the connection that caused the message */
  send(channel: string, bytes: Buffer, except?: string): void {
    const subscribers = this.#channels.get(channel)
    if (!subscribers) return
    for (const socket of subscribers) if (socket.id !== except) socket.send(bytes)
  }

  watch(watcher: ChannelWatcher): void {
    this.#watcher = watcher
  }

  join(socket: LiveSocket, channel: string): void {
    const known = this.#channels.get(channel)
    if (known) return void known.add(socket)
    this.#channels.set(channel, new Set([socket]))
    this.#watcher?.opened(channel)
  }

  leave(socket: LiveSocket, channel: string): void {
    const subscribers = this.#channels.get(channel)
    subscribers?.delete(socket)
    if (subscribers?.size !== 0) return
    this.#channels.delete(channel)
    this.#watcher?.closed(channel)
  }

  /**
   * Messages of a channel, or of all, may be lost: its clients reconnect, request what they missed, and are authorized again.
   * @param within time in which all of them are closed, ms
   */
  missed(within: number, channel?: string): void {
    const sockets = channel === undefined ? this.sockets : (this.#channels.get(channel) ?? [])
    for (const socket of sockets) socket.endWithin(within, 'Missed something')
  }

  /** Records the person of a connection. @returns how many connections that person has here */
  identify(socket: LiveSocket, userId: string): number {
    const connections = this.#people.get(userId) ?? new Set<LiveSocket>()
    this.#people.set(userId, connections)
    connections.add(socket)
    this.unauthorized.delete(socket)
    return connections.size
  }

  remove(socket: LiveSocket): void {
    this.sockets.delete(socket)
    this.unauthorized.delete(socket)
    for (const channel of socket.channels.keys()) this.leave(socket, channel)
    if (!socket.owner) return
    const connections = this.#people.get(socket.owner.userId)
    connections?.delete(socket)
    if (connections?.size === 0) this.#people.delete(socket.owner.userId)
  }

  hasPerson(userId: string): boolean {
    return this.#people.has(userId)
  }

  openConnections(): OpenConnection[] {
    return [...this.#people.values()].flatMap((connections) =>
      [...connections].flatMap(({ owner, channels }) =>
        owner ? [{ ...owner, channels: [...channels.keys()] }] : [],
      ),
    )
  }

  /** Connections on presence channels, by channel. */
  present(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const [channel, subscribers] of this.#channels)
      if (channel.startsWith('presence-'))
        found.set(
          channel,
          [...subscribers].map((it) => it.id),
        )
    return found
  }

  /** Whether a grant is still valid after endings since it was issued. */
  validityOf({ userId, sessionId, at }: Granted, channel: string): 'good' | 'ended' | 'stale' {
    if (this.#ended.has(`session ${sessionId}`)) return 'ended'
    const person = this.#ended.get(`person ${userId}`)
    if (person && person.at >= at - SESSION_READ && person.except !== sessionId) return 'ended'
    const decisions = [this.#ended.get(`permissions ${userId}`), this.#ended.get(`channel ${channel}`)]
    return decisions.some((it) => it && it.at >= at) ? 'stale' : 'good'
  }

  end(ending: Ending, now: number): void {
    for (const [key, { at }] of this.#ended) if (now - at > ENDING_STORED) this.#ended.delete(key)
    switch (ending.is) {
      case 'session':
        this.#ended.set(`session ${ending.sessionId}`, { at: now })
        for (const socket of this.#people.get(ending.userId) ?? [])
          if (socket.owner?.sessionId === ending.sessionId) ended(socket)
        return
      case 'person':
        this.#ended.set(`person ${ending.userId}`, { at: now, except: ending.except })
        for (const socket of this.#people.get(ending.userId) ?? [])
          if (socket.owner?.sessionId !== ending.except) ended(socket)
        return
      case 'permissions':
        for (const userId of ending.userIds) {
          this.#ended.set(`permissions ${userId}`, { at: now })
          for (const socket of this.#people.get(userId) ?? [])
            if (hasForeignChannel(socket)) reauthorize(socket)
        }
        return
      case 'channel':
        this.#ended.set(`channel ${ending.channel}`, { at: now })
        for (const socket of this.#channels.get(ending.channel) ?? []) reauthorize(socket)
        return
      default:
        ending satisfies never
    }
  }
}

const ended = (socket: LiveSocket) => socket.end('unauthorized', 'Session ended')

/** Closes a connection, whose client reconnects at once and authorizes each of its channels again. */
const reauthorize = (socket: LiveSocket) => socket.end('comeBack', 'Authorize again')

const hasForeignChannel = (socket: LiveSocket) =>
  [...socket.channels.keys()].some((it) => channelOf(it)?.is !== 'person')
