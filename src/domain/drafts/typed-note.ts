// What a person has typed and not sent yet: on the device at every letter, and the same in every tab.
import type * as v from 'valibot'
import { createStore, type ReadableStore, type Store, type Subscribe } from '#src/lib/store.ts'
import { noteKey, ownNote } from './own-notes.ts'

interface Timed {
  /** When it was written, ms since 1970; the newer of two copies counts. */
  readonly at: number
}

export interface NoteKind<T extends Timed> {
  readonly schema: v.GenericSchema<unknown, T>
  /** What is there when nothing was typed, with `at` 0. */
  readonly empty: T
  /** It is empty, so that nothing needs to be stored. */
  readonly isEmpty: (value: T) => boolean
}

// The database comes with the first letter, not with the page.
const device = () => import('#device/drafts/notes.ts')

/**
 * Two copies: local storage, which is written before the call ends, so that a page that is closed loses nothing; and the
 * database, which is on the disk at once, where local storage may take seconds.
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
    this.#shown = createStore(this.#place().read() ?? kind.empty, () => this.#watch())
    this.get = this.#shown.get
    this.subscribe = this.#shown.subscribe
  }

  get #value(): T {
    return this.get()
  }

  #watch(): () => void {
    window.addEventListener('storage', this.#follow)
    void this.#recover().catch((error: unknown) => console.warn('a note was not read', error))
    return () => window.removeEventListener('storage', this.#follow)
  }

  change(next: Omit<T, 'at'>): void {
    // A clock that went back writes a newer copy all the same.
    const value = { ...next, at: Math.max(Date.now(), this.#value.at + 1) } as T
    if (this.#kind.isEmpty(value)) this.#place().drop()
    else this.#place().save(value)
    this.#shown.set(value)
    this.#writing ??= this.#store().finally(() => (this.#writing = undefined))
  }

  #place() {
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

  /** Takes the copy in the database where it is the newer one: the browser was killed before it wrote the other. */
  async #recover(): Promise<void> {
    const { readNote, dropNote } = await device()
    const stored = await readNote(this.#ownerId, this.#name, this.#kind.schema)
    if (!stored) return
    const { isEmpty } = this.#kind
    if (stored.at > this.#value.at) {
      if (isEmpty(stored)) this.#place().drop()
      else this.#place().save(stored)
      this.#shown.set(stored)
    }
    if (isEmpty(stored) && isEmpty(this.#value) && !this.#writing) await dropNote(this.#ownerId, this.#name)
  }

  /** Another tab wrote. */
  readonly #follow = (event: StorageEvent): void => {
    if (event.key !== noteKey(this.#ownerId, this.#name)) return
    const next = this.#place().read() ?? { ...this.#kind.empty, at: this.#value.at }
    if (next.at >= this.#value.at) this.#shown.set(next)
  }
}
