// The unfinished comment below a post, and comments without room on the device.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { COMMENT_NOTE } from '#src/domain/drafts/own-notes.ts'
import { WaitingNote } from '#src/domain/drafts/waiting-note.ts'

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

export class CommentNote extends WaitingNote<Unstored, Note> {
  constructor(ownerId: string, postId: string) {
    super(ownerId, COMMENT_NOTE + postId, {
      schema: note,
      empty: { typed: '', to: null, waiting: [], at: 0 },
    })
  }
}
