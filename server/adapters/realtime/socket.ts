// One live connection: its person, subscriptions and limits.
import { randomInt } from 'node:crypto'
import { WebSocket } from 'ws'
import { TYPING_REFUSED_WITHIN } from '#contract/realtime/channels.ts'
import { code, errorFrame, frame } from './protocol.ts'
import type { Granted } from './signature.ts'
import type { Member } from './presence.ts'

/**
 * A client that does not read is disconnected at this many queued bytes; it requests missed data after reconnecting.
 */
const SLOW = 1024 * 1024

/** Rate of a token bucket: this many at once, then so many each second. */
interface Rate {
  readonly burst: number
  readonly perSecond: number
}

function bucket({ burst, perSecond }: Rate): (now: number) => boolean {
  let left = burst
  let at = 0
  return (now) => {
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/** Frames of a client. A page that reconnects subscribes to all its channels at once. */
const FRAMES: Rate = { burst: 130, perSecond: 20 }
/** Events that a client sends to other clients, on all its channels: a person writes in one conversation at a time. */
const CLIENT_EVENTS: Rate = { burst: 5, perSecond: 1 }

/** One subscription of a connection; one after unsubscribing is another. */
export interface Subscription {
  /** Of presence channels: the person's member data. */
  readonly member?: Member | undefined
  /** Whether the member was added to the presence channel. */
  hasEntered: boolean
}

export class LiveSocket {
  readonly id = `${randomInt(1e9)}.${randomInt(1e9)}`
  readonly #ws: WebSocket
  readonly network: string
  /** Subscribed channels, from the request to subscribe. */
  readonly channels = new Map<string, Subscription>()
  /** The person and session, from the first grant. */
  owner: Pick<Granted, 'userId' | 'sessionId'> | undefined
  readonly opened: number
  lastMessageAt: number
  #isPinged = false
  #isEnding = false
  readonly mayReceive = bucket(FRAMES)
  /** When typing was last forwarded, by channel. */
  readonly typedAt = new Map<string, number>()
  readonly #maySendClientEvent = bucket(CLIENT_EVENTS)

  constructor(ws: WebSocket, network: string, now: number) {
    this.#ws = ws
    this.network = network
    this.opened = now
    this.lastMessageAt = now
  }

  /** Records that a message arrived. */
  touch(now: number): void {
    this.lastMessageAt = now
    this.#isPinged = false
  }

  /** Whether typing on a channel is forwarded now; counted only if it is. */
  maySendTyping(channel: string, now: number): boolean {
    const before = this.typedAt.get(channel)
    if (before !== undefined && now - before < TYPING_REFUSED_WITHIN) return false
    if (!this.#maySendClientEvent(now)) return false
    this.typedAt.set(channel, now)
    return true
  }

  /** Sends one ping until the next message. */
  ping(): void {
    if (!this.#isPinged) this.emit('pusher:ping', {})
    this.#isPinged = true
  }

  send(bytes: Buffer): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#ws.bufferedAmount > SLOW) return this.#ws.terminate()
    this.#ws.send(bytes, { binary: false })
  }

  emit(event: string, data: unknown, channel?: string): void {
    this.send(frame(event, data, channel))
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  refuse(number: number, message: string): void {
    this.send(errorFrame(number, message))
  }

  /** Requests the client to reconnect, at some time within `ms`, once. */
  endWithin(ms: number, message: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setTimeout(() => this.end('comeBack', message), Math.random() * ms).unref()
  }

  /** Sends the reason and closes the connection; terminates it if the client does not reply. */
  end(reason: keyof typeof code, message: string): void {
    this.refuse(code[reason], message)
    this.#ws.close(code[reason], message)
    setTimeout(() => this.#ws.terminate(), 2000).unref()
  }
}
