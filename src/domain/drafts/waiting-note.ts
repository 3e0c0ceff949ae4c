// A note with unsent text, and texts that are waiting without room on the device.
import type * as v from 'valibot'
import { type NoteKind, TypedNote } from './typed-note.ts'

/** A text without room on the device. */
interface Waiting {
  readonly id: string
}

interface Value<W extends Waiting> {
  readonly typed: string
  readonly waiting: readonly W[]
  /** Time of writing, ms since 1970; the newer of two copies is used. */
  readonly at: number
}

/** @typeParam T the note's value; W a waiting text */
export class WaitingNote<W extends Waiting, T extends Value<W>> extends TypedNote<T> {
  /** Ids of this tab's waiting texts; a tab deletes only its own. */
  #own: readonly string[] = []

  constructor(
    ownerId: string,
    name: string,
    kind: Pick<NoteKind<T>, 'empty'> & { schema: v.GenericSchema<unknown, T> },
  ) {
    super(ownerId, name, {
      ...kind,
      isEmpty: ({ typed, waiting }) => typed === '' && waiting.length === 0,
    })
  }

  /** Stores the text of the field and what belongs to it. */
  write(change: Partial<Omit<T, 'waiting' | 'at'>>): void {
    this.change({ ...this.get(), ...change })
  }

  /** Replaces this tab's waiting texts. */
  saveWaiting(own: readonly W[]): void {
    const ids = own.map((it) => it.id)
    if (ids.join() === this.#own.join()) return
    const ownIds = new Set([...this.#own, ...ids])
    this.#own = ids
    const others = this.get().waiting.filter((it) => !ownIds.has(it.id))
    this.change({ ...this.get(), waiting: [...others, ...own] })
  }

  /** Sends the texts of a closed page under their ids, so that the server detects repetitions. */
  sendWaiting(send: (text: W) => Promise<unknown>): void {
    for (const it of this.get().waiting) void send(it).then(() => this.#removeWaiting(it.id))
  }

  /** Removes a text that this tab or the device has taken over. */
  #removeWaiting(id: string): void {
    if (this.#own.includes(id)) return
    const waiting = this.get().waiting.filter((it) => it.id !== id)
    if (waiting.length < this.get().waiting.length) this.change({ ...this.get(), waiting })
  }
}
