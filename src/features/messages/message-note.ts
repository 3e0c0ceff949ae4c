// The unfinished message of a conversation, and messages without room on the device.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { MESSAGE_NOTE } from '#src/domain/drafts/own-notes.ts'
import { WaitingNote } from '#src/domain/drafts/waiting-note.ts'

/** The message that a reply answers, as the composer shows it. */
const answered = v.object({ id: idSchema, excerpt: v.string() })
export type AnsweredMessage = v.InferOutput<typeof answered>

/** `waiting`: unsent messages without room on the device. */
const note = v.object({
  typed: v.string(),
  answers: v.nullable(answered),
  waiting: v.optional(
    v.array(
      v.object({
        id: idSchema,
        content: v.string(),
        replyTo: v.nullable(idSchema),
        postId: v.optional(v.nullable(idSchema), null),
      }),
    ),
    [],
  ),
  /** Time of writing, ms since 1970; the newer of two copies is used. */
  at: v.optional(v.number(), 0),
})
type Note = v.InferOutput<typeof note>
export type UnstoredMessage = Note['waiting'][number]

export class MessageNote extends WaitingNote<UnstoredMessage, Note> {
  constructor(ownerId: string, userId: string) {
    super(ownerId, MESSAGE_NOTE + userId, {
      schema: note,
      empty: { typed: '', answers: null, waiting: [], at: 0 },
    })
  }
}
