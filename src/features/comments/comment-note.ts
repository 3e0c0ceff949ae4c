// The unfinished comment below a post, and comments without room on the device.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { COMMENT_NOTE } from '#src/domain/drafts/own-notes.ts'
import { type NoteKind, TypedNote } from '#src/domain/drafts/typed-note.ts'

const target = v.object({
  /** The parent comment of a reply. */
  parentId: idSchema,
  answersId: idSchema,
  name: v.string(),
})
/** The comment that a reply answers. */
export type ReplyTarget = v.InferOutput<typeof target>

/** `waiting`: unsent comments without room on the device. */
const note = v.object({
  typed: v.string(),
  to: v.nullable(target),
  waiting: v.optional(v.array(v.object({ id: idSchema, content: v.string(), to: v.nullable(target) })), []),
  /** Time of writing, ms since 1970; the newer of two copies is used. */
  at: v.optional(v.number(), 0),
})
export type Note = v.InferOutput<typeof note>
export type Unstored = Note['waiting'][number]

const kind: NoteKind<Note> = {
  schema: note,
  empty: { typed: '', to: null, waiting: [], at: 0 },
  isEmpty: ({ typed, waiting }) => typed === '' && waiting.length === 0,
}

export class CommentNote extends TypedNote<Note> {
  /** Ids of this tab's waiting comments; a tab deletes only its own. */
  #own: readonly string[] = []

  constructor(ownerId: string, postId: string) {
    super(ownerId, COMMENT_NOTE + postId, kind)
  }

  /** Stores the text of the field, and the comment that it answers. */
  write(change: Partial<Pick<Note, 'typed' | 'to'>>): void {
    this.change({ ...this.get(), ...change })
  }

  /** Replaces this tab's waiting comments. */
  saveWaiting(own: readonly Unstored[]): void {
    const ids = own.map((it) => it.id)
    if (ids.join() === this.#own.join()) return
    const ownIds = new Set([...this.#own, ...ids])
    this.#own = ids
    const others = this.get().waiting.filter((it) => !ownIds.has(it.id))
    this.change({ ...this.get(), waiting: [...others, ...own] })
  }

  /** Sends the comments of a closed page under their ids, so that the server detects repetitions. */
  sendWaiting(send: (comment: Unstored) => Promise<unknown>): void {
    for (const it of this.get().waiting) void send(it).then(() => this.#removeWaiting(it.id))
  }

  /** Removes a comment that this tab or the device has taken over. */
  #removeWaiting(id: string): void {
    if (this.#own.includes(id)) return
    const waiting = this.get().waiting.filter((it) => it.id !== id)
    if (waiting.length < this.get().waiting.length) this.change({ ...this.get(), waiting })
  }
}
