// The subscribers of each channel in this process.
import type { Ending } from '#contract/realtime/channels.ts'
import { channelOf } from '#contract/realtime/channels.ts'
import type { OpenConnection } from './realtime.ts'
import type { LiveSocket } from './socket.ts'
import type { Granted } from './signature.ts'

/** A grant may arrive after what ended it; it is good for a minute. */
const REMEMBERED = 120_000

/** How long before its grant was decided a session may have been looked up, ms. */
const LOOKED_UP = 1000

export class Hub {
  readonly sockets = new Set<LiveSocket>()
  /** Those that have not said whose they are. */
  readonly strangers = new Set<LiveSocket>()
  readonly #channels = new Map<string, Set<LiveSocket>>()
  readonly #people = new Map<string, Set<LiveSocket>>()
  readonly #ended = new Map<string, { at: number; except?: string | undefined }>()

  add(socket: LiveSocket): void {
    this.sockets.add(socket)
    this.strangers.add(socket)
  }

  strangersFrom(network: string): number {
    let count = 0
    for (const it of this.strangers) if (it.network === network) count += 1
    return count
  }

  /** To everybody on a channel. @param except the connection whose own doing it was */
  say(channel: string, bytes: Buffer, except?: string): void {
    const there = this.#channels.get(channel)
    if (!there) return
    for (const socket of there) if (socket.id !== except) socket.send(bytes)
  }

  isHeard(channel: string): boolean {
    return this.#channels.has(channel)
  }

  join(socket: LiveSocket, channel: string): void {
    const there = this.#channels.get(channel) ?? new Set<LiveSocket>()
    this.#channels.set(channel, there)
    there.add(socket)
  }

  leave(socket: LiveSocket, channel: string): void {
    const there = this.#channels.get(channel)
    there?.delete(socket)
    if (there?.size === 0) this.#channels.delete(channel)
  }

  /** Notes whose connection it is. @returns how many that person has here */
  belongs(socket: LiveSocket, userId: string): number {
    const theirs = this.#people.get(userId) ?? new Set<LiveSocket>()
    this.#people.set(userId, theirs)
    theirs.add(socket)
    this.strangers.delete(socket)
    return theirs.size
  }

  remove(socket: LiveSocket): void {
    this.sockets.delete(socket)
    this.strangers.delete(socket)
    for (const channel of socket.channels.keys()) this.leave(socket, channel)
    if (!socket.whose) return
    const theirs = this.#people.get(socket.whose.userId)
    theirs?.delete(socket)
    if (theirs?.size === 0) this.#people.delete(socket.whose.userId)
  }

  listening(): OpenConnection[] {
    return [...this.#people.values()].flatMap((theirs) =>
      [...theirs].flatMap(({ whose, channels }) =>
        whose ? [{ ...whose, channels: [...channels.keys()] }] : [],
      ),
    )
  }

  /** Connections on presence channels, by channel. */
  present(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const [channel, there] of this.#channels)
      if (channel.startsWith('presence-'))
        found.set(
          channel,
          [...there].map((it) => it.id),
        )
    return found
  }

  /** What became of a grant between being given and being shown. */
  standingOf({ userId, sessionId, at }: Granted, channel: string): 'good' | 'ended' | 'stale' {
    if (this.#ended.has(`session ${sessionId}`)) return 'ended'
    const person = this.#ended.get(`person ${userId}`)
    if (person && person.at >= at - LOOKED_UP && person.except !== sessionId) return 'ended'
    const anew = [this.#ended.get(`standing ${userId}`), this.#ended.get(`channel ${channel}`)]
    return anew.some((it) => it && it.at >= at) ? 'stale' : 'good'
  }

  end(ending: Ending, now: number): void {
    for (const [key, { at }] of this.#ended) if (now - at > REMEMBERED) this.#ended.delete(key)
    switch (ending.is) {
      case 'session':
        this.#ended.set(`session ${ending.sessionId}`, { at: now })
        for (const socket of this.#people.get(ending.userId) ?? [])
          if (socket.whose?.sessionId === ending.sessionId) ended(socket)
        return
      case 'person':
        this.#ended.set(`person ${ending.userId}`, { at: now, except: ending.except })
        for (const socket of this.#people.get(ending.userId) ?? [])
          if (socket.whose?.sessionId !== ending.except) ended(socket)
        return
      case 'standing':
        for (const userId of ending.userIds) {
          this.#ended.set(`standing ${userId}`, { at: now })
          for (const socket of this.#people.get(userId) ?? []) if (hearsOthers(socket)) decidedAnew(socket)
        }
        return
      case 'channel':
        this.#ended.set(`channel ${ending.channel}`, { at: now })
        for (const socket of this.#channels.get(ending.channel) ?? []) decidedAnew(socket)
        return
      default:
        ending satisfies never
    }
  }
}

const ended = (socket: LiveSocket) => socket.end('unauthorized', 'Session ended')

/** It comes back at once and asks for each of its channels again. */
const decidedAnew = (socket: LiveSocket) => socket.end('comeBack', 'Authorize again')

const hearsOthers = (socket: LiveSocket) =>
  [...socket.channels.keys()].some((it) => channelOf(it)?.is !== 'person')
