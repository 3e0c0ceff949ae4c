// A note with unsent text, stored at every keystroke and synchronized between tabs.
import type * as v from 'valibot'
import { createStore, type ReadableStore, type Store, type Subscribe } from '#src/lib/store.ts'
import { noteKey, ownNote } from './own-notes.ts'

interface Timed {
  /** Time of writing, ms since 1970; the newer of two copies is used. */
  readonly at: number
}

export interface NoteKind<T extends Timed> {
  readonly schema: v.GenericSchema<unknown, T>
  /** The value when nothing was typed, with `at` 0. */
  readonly empty: T
  /** Whether a value is empty and needs no storage. */
  readonly isEmpty: (value: T) => boolean
}

// The database's code is loaded at the first keystroke, not with the page.
const device = () => import('#device/drafts/notes.ts')

/**
 * A note in two copies. Local storage is written synchronously, so that a closed page loses nothing. The database is
 * on the disk at once, while local storage may take seconds.
 */
export class TypedNote<T extends Timed> implements ReadableStore<T> {
  readonly #ownerId: string
  readonly #name: string
  readonly #kind: NoteKind<T>
  readonly #shown: Store<T>
  #writing: Promise<void> | undefined
  readonly get: () => T
  readonly subscribe: Subscribe

  constructor(ownerId: string, name: string, kind: NoteKind<T>) {
    this.#ownerId = ownerId
    this.#name = name
    this.#kind = kind
    this.#shown = createStore(this.#persisted().read() ?? kind.empty, () => this.#watch())
    this.get = this.#shown.get
    this.subscribe = this.#shown.subscribe
  }

  get #value(): T {
    return this.get()
  }

  #watch(): () => void {
    window.addEventListener('storage', this.#onStorage)
    void this.#recover().catch((error: unknown) => console.warn('a note was not read', error))
    return () => window.removeEventListener('storage', this.#onStorage)
  }

  change(next: Omit<T, 'at'>): void {
    // A clock that was set back must still produce a newer copy.
    const value = { ...next, at: Math.max(Date.now(), this.#value.at + 1) } as T
    if (this.#kind.isEmpty(value)) this.#persisted().remove()
    else this.#persisted().save(value)
    this.#shown.set(value)
    this.#writing ??= this.#store().finally(() => (this.#writing = undefined))
  }

  #persisted() {
    return ownNote(this.#ownerId, this.#name, this.#kind.schema)
  }

  /** Writes the newest value; what changes during a write is written after it. */
  async #store(): Promise<void> {
    try {
      const { writeNote } = await device()
      for (let written: T | undefined; written !== this.#value;) {
        written = this.#value
        await writeNote(this.#ownerId, this.#name, written)
      }
    } catch (error) {
      console.warn('a note stays in local storage alone', error)
    }
  }

  /** Uses the database's copy if it is newer, after the browser was killed. */
  async #recover(): Promise<void> {
    const { readNote, dropNote } = await device()
    const stored = await readNote(this.#ownerId, this.#name, this.#kind.schema)
    if (!stored) return
    const { isEmpty } = this.#kind
    if (stored.at > this.#value.at) {
      if (isEmpty(stored)) this.#persisted().remove()
      else this.#persisted().save(stored)
      this.#shown.set(stored)
    }
    if (isEmpty(stored) && isEmpty(this.#value) && !this.#writing) await dropNote(this.#ownerId, this.#name)
  }

  /** Shows what another tab has written. */
  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key !== noteKey(this.#ownerId, this.#name)) return
    const next = this.#persisted().read() ?? { ...this.#kind.empty, at: this.#value.at }
    if (next.at >= this.#value.at) this.#shown.set(next)
  }
}
