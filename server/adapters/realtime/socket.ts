// One live connection: its person, subscriptions and limits.
import { randomInt } from 'node:crypto'
import { WebSocket } from 'ws'
import { code, errorFrame, frame } from './protocol.ts'
import type { Granted } from './signature.ts'
import type { Member } from './presence.ts'

/**
 * A client that does not read is disconnected at this many queued bytes; it requests missed data after reconnecting.
 */
const SLOW = 1024 * 1024

/** Room for this many at once, then so many each second. */
interface Pace {
  readonly burst: number
  readonly perSecond: number
}

function bucket({ burst, perSecond }: Pace): (now: number) => boolean {
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

/** A page that comes back joins all its channels at once. */
const FRAMES: Pace = { burst: 130, perSecond: 20 }
/** What the protocol allows a client to say to others. */
const CLIENT_EVENTS: Pace = { burst: 10, perSecond: 10 }

export class LiveSocket {
  readonly id = `${randomInt(1e9)}.${randomInt(1e9)}`
  readonly #ws: WebSocket
  readonly network: string
  /** Each with who the person is there, on presence channels. */
  readonly channels = new Map<string, Member | undefined>()
  /** The first channel joined says whose it is. */
  whose: Pick<Granted, 'userId' | 'sessionId'> | undefined
  readonly opened: number
  heard: number
  #asked = false
  readonly mayAsk = bucket(FRAMES)
  readonly mayTell = bucket(CLIENT_EVENTS)

  constructor(ws: WebSocket, network: string, now: number) {
    this.#ws = ws
    this.network = network
    this.opened = now
    this.heard = now
  }

  /** It said something, so it is there. */
  spoke(now: number): void {
    this.heard = now
    this.#asked = false
  }

  /** Whether it is there, once in a silence. */
  ask(): void {
    if (!this.#asked) this.tell('pusher:ping', {})
    this.#asked = true
  }

  send(bytes: Buffer): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return
    if (this.#ws.bufferedAmount > SLOW) return this.#ws.terminate()
    this.#ws.send(bytes, { binary: false })
  }

  tell(event: string, data: unknown, channel?: string): void {
    this.send(frame(event, data, channel))
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  refuse(number: number, message: string): void {
    this.send(errorFrame(number, message))
  }

  /** Says why, and ends it; who does not answer the goodbye is cut. */
  end(reason: keyof typeof code, message: string): void {
    this.refuse(code[reason], message)
    this.#ws.close(code[reason], message)
    setTimeout(() => this.#ws.terminate(), 2000).unref()
  }
}
