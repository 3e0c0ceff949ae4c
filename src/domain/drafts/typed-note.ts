// What a person has typed and not sent yet: on the device at every letter, and the same in every tab.
import type * as v from 'valibot'
import { noteKey, ownNote } from './own-notes.ts'

interface Timed {
  /** When it was written, ms since 1970; the newer of two copies counts. */
  readonly at: number
}

export interface NoteKind<T extends Timed> {
  readonly schema: v.GenericSchema<unknown, T>
  /** What is there when nothing was typed, with `at` 0. */
  readonly empty: T
  /** Nothing of it is worth storing. */
  readonly isEmpty: (value: T) => boolean
}

// The database comes with the first letter, not with the page.
const device = () => import('#device/drafts/notes.ts')

/**
 * Two copies: local storage, which is written before the call ends, so that a page that is closed loses nothing; and the
 * database, which is on the disk at once, where local storage may take seconds.
 */
export class TypedNote<T extends Timed> {
  readonly #ownerId: string
  readonly #name: string
  readonly #kind: NoteKind<T>
  readonly #listeners = new Set<() => void>()
  #value: T
  #writing: Promise<void> | undefined

  constructor(ownerId: string, name: string, kind: NoteKind<T>) {
    this.#ownerId = ownerId
    this.#name = name
    this.#kind = kind
    this.#value = this.#place().read() ?? kind.empty
  }

  readonly get = (): T => this.#value

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      window.addEventListener('storage', this.#follow)
      void this.#recover().catch((error: unknown) => console.warn('a note was not read', error))
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) window.removeEventListener('storage', this.#follow)
    }
  }

  change(next: Omit<T, 'at'>): void {
    // A clock that went back writes a newer copy all the same.
    const value = { ...next, at: Math.max(Date.now(), this.#value.at + 1) } as T
    if (this.#kind.isEmpty(value)) this.#place().drop()
    else this.#place().save(value)
    this.#show(value)
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
      this.#show(stored)
    }
    if (isEmpty(stored) && isEmpty(this.#value) && !this.#writing) await dropNote(this.#ownerId, this.#name)
  }

  /** Another tab wrote. */
  readonly #follow = (event: StorageEvent): void => {
    if (event.key !== noteKey(this.#ownerId, this.#name)) return
    const next = this.#place().read() ?? { ...this.#kind.empty, at: this.#value.at }
    if (next.at >= this.#value.at) this.#show(next)
  }

  #show(next: T): void {
    this.#value = next
    for (const listener of this.#listeners) listener()
  }
}
