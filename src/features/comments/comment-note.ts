// The comment a person is writing below a post, on the device at every letter and the same in every tab.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { COMMENT_NOTE, noteKey, ownNote } from '#src/lib/own-notes.ts'

const target = v.object({
  /** The comment a reply stands below. */
  parentId: idSchema,
  answersId: idSchema,
  name: v.string(),
})
/** Whom a reply is for. */
export type ReplyTarget = v.InferOutput<typeof target>

/** `waiting`: comments on their way that the device has no room for. */
const note = v.object({
  typed: v.string(),
  to: v.nullable(target),
  waiting: v.optional(v.array(v.object({ id: idSchema, content: v.string(), to: v.nullable(target) })), []),
  /** When it was written, ms since 1970; the newer of two copies counts. */
  at: v.optional(v.number(), 0),
})
export type Note = v.InferOutput<typeof note>
export type Unstored = Note['waiting'][number]

const nothing: Note = { typed: '', to: null, waiting: [], at: 0 }
const isEmpty = ({ typed, waiting }: Note): boolean => typed === '' && waiting.length === 0

// The database comes with the first letter, not with the page.
const device = () => import('#device/notes.ts')

/**
 * Two copies: local storage, which is written before the call ends, so that a page that is closed loses nothing; and the
 * database, which is on the disk at once, where local storage may take seconds.
 */
export class CommentNote {
  readonly #ownerId: string
  readonly #name: string
  readonly #listeners = new Set<() => void>()
  #value: Note
  #writing: Promise<void> | undefined
  /** Comments of this tab among those that wait: another tab's are not its to delete. */
  #own: readonly string[] = []

  constructor(ownerId: string, postId: string) {
    this.#ownerId = ownerId
    this.#name = COMMENT_NOTE + postId
    this.#value = this.#place().read() ?? nothing
  }

  readonly get = (): Note => this.#value

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

  /** The words in the field, and whom they answer. */
  write(change: Partial<Pick<Note, 'typed' | 'to'>>): void {
    this.#change({ ...this.#value, ...change })
  }

  /** Replaces this tab's comments among those that wait. */
  keepWaiting(own: readonly Unstored[]): void {
    const ids = own.map((it) => it.id)
    if (ids.join() === this.#own.join()) return
    const mine = new Set([...this.#own, ...ids])
    this.#own = ids
    const others = this.#value.waiting.filter((it) => !mine.has(it.id))
    this.#change({ ...this.#value, waiting: [...others, ...own] })
  }

  /** A comment that a page had alone which is gone: this tab, or the device, has it now. */
  settled(id: string): void {
    if (this.#own.includes(id)) return
    const waiting = this.#value.waiting.filter((it) => it.id !== id)
    if (waiting.length < this.#value.waiting.length) this.#change({ ...this.#value, waiting })
  }

  #place() {
    return ownNote(this.#ownerId, this.#name, note)
  }

  #change(next: Note): void {
    // A clock that went back writes a newer copy all the same.
    const value = { ...next, at: Math.max(Date.now(), this.#value.at + 1) }
    if (isEmpty(value)) this.#place().drop()
    else this.#place().save(value)
    this.#show(value)
    this.#writing ??= this.#store().finally(() => (this.#writing = undefined))
  }

  /** Writes the newest value; what changes during a write is written after it. */
  async #store(): Promise<void> {
    try {
      const { writeNote } = await device()
      for (let written: Note | undefined; written !== this.#value;) {
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
    const stored = await readNote(this.#ownerId, this.#name, note)
    if (!stored) return
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
    const next = this.#place().read() ?? { ...nothing, at: this.#value.at }
    if (next.at >= this.#value.at) this.#show(next)
  }

  #show(next: Note): void {
    this.#value = next
    for (const listener of this.#listeners) listener()
  }
}
