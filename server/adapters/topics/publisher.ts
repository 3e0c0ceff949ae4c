// Publishes to topics; what Redis did not accept is published again, or announced as missed.
import { type After, afterNow } from './subscriptions.ts'

/** What becomes of a message that Redis did not accept. */
export type WhenLost =
  /** Subscribers learn that they missed something. */
  | 'announce'
  /** The same message is published again, after those that were lost before. */
  | 'repeat'
  | 'nothing'

export interface PublisherPort {
  /** @throws when Redis did not accept the message, or may not have */
  publish(topic: string, message: Buffer): Promise<unknown>
  /** Called once when Redis accepts no message, with the error, and once when it does again. */
  changed(isAccepting: boolean, why?: unknown): void
  /** Sent to every subscriber of a topic in place of its lost messages. */
  readonly gap: Buffer
  /** A gap of this topic means that messages of all topics may be lost. */
  readonly everyTopic: string
}

const RETRY_DELAY = 1000
/** Lost messages and gaps that are stored, for each of both kinds. Beyond these, all topics have a gap. */
export const MAX_LOST = 10_000
/** Messages that are published again at the same time. */
const BATCH = 200

interface Lost {
  readonly topic: string
  readonly message: Buffer
}

export class Publisher {
  readonly #port: PublisherPort
  readonly #after: After
  readonly #repeats: Lost[] = []
  readonly #gaps = new Set<string>()
  #cancelRetry: (() => void) | undefined
  #isAccepting = true

  constructor(port: PublisherPort, after: After = afterNow) {
    this.#port = port
    this.#after = after
  }

  publish(topic: string, message: Buffer, whenLost: WhenLost): void {
    this.#port.publish(topic, message).catch((error: unknown) => {
      this.#report(false, error)
      this.#lose(topic, message, whenLost)
    })
  }

  stop(): void {
    this.#cancelRetry?.()
  }

  #lose(topic: string, message: Buffer, whenLost: WhenLost): void {
    if (whenLost === 'repeat') this.#repeats.push({ topic, message })
    if (whenLost === 'announce') this.#gaps.add(topic)
    if (this.#repeats.length > MAX_LOST || this.#gaps.size > MAX_LOST) {
      this.#repeats.length = 0
      this.#gaps.clear()
      this.#gaps.add(this.#port.everyTopic)
    }
    this.#cancelRetry ??= this.#after(RETRY_DELAY, () => void this.#retry())
  }

  async #retry(): Promise<void> {
    const areRepeated = await this.#repeatLost()
    const areAnnounced = await this.#announceGaps()
    this.#cancelRetry = undefined
    if (areRepeated && areAnnounced) this.#report(true)
    else this.#cancelRetry = this.#after(RETRY_DELAY, () => void this.#retry())
  }

  /** One after the other, in their order. @returns whether none is left */
  async #repeatLost(): Promise<boolean> {
    for (let first = this.#repeats[0]; first; first = this.#repeats[0]) {
      if (!(await this.#isAccepted(first))) return false
      if (this.#repeats[0] === first) this.#repeats.shift()
    }
    return true
  }

  /** @returns whether none is left */
  async #announceGaps(): Promise<boolean> {
    const all = [...this.#gaps]
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH)
      const accepted = await Promise.all(
        batch.map(async (topic) => {
          this.#gaps.delete(topic)
          const isAccepted = await this.#isAccepted({ topic, message: this.#port.gap })
          if (!isAccepted) this.#gaps.add(topic)
          return isAccepted
        }),
      )
      if (!accepted.includes(true)) return false
    }
    return this.#gaps.size === 0
  }

  #isAccepted({ topic, message }: Lost): Promise<boolean> {
    return this.#port.publish(topic, message).then(
      () => true,
      () => false,
    )
  }

  #report(isAccepting: boolean, why?: unknown): void {
    if (this.#isAccepting === isAccepting) return
    this.#isAccepting = isAccepting
    this.#port.changed(isAccepting, why)
  }
}
