// What somebody writes below a post, until the server has it: the words being typed, and comments that did not get through.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { addComment, type CommentView } from '#contract/comments.ts'
import { id as idSchema, newId } from '#contract/ids.ts'
import { ApiFailure, call, type FailureCode } from '#src/lib/api.ts'
import { ownNote } from '#src/lib/own-notes.ts'
import { changePostIn } from '#src/lib/post-cache.ts'
import { insertComment } from './reading.ts'

const target = v.object({
  /** The comment a reply stands below. */
  parentId: idSchema,
  answersId: idSchema,
  name: v.string(),
})
/** Whom a reply is for. */
export type ReplyTarget = v.InferOutput<typeof target>

const waitingRow = v.object({ id: idSchema, content: v.string(), to: v.nullable(target) })
/** A comment on its way. */
export type Waiting = v.InferOutput<typeof waitingRow> & { readonly state: WaitingState }
type WaitingState =
  | { readonly is: 'sending' }
  | { readonly is: 'failed'; readonly code: FailureCode | undefined }

const note = v.object({ typed: v.string(), to: v.nullable(target), waiting: v.array(waitingRow) })
type Note = v.InferOutput<typeof note>
const nothing: Note = { typed: '', to: null, waiting: [] }

export interface Outbox {
  readonly typed: string
  readonly to: ReplyTarget | null
  readonly waiting: readonly Waiting[]
  /** Counts up with every wish to write: the composer takes the caret then. */
  readonly wish: number
  readonly type: (typed: string) => void
  readonly replyTo: (to: ReplyTarget | null) => void
  readonly write: () => void
  readonly send: () => void
  readonly again: (id: string) => void
  readonly drop: (id: string) => void
}

/**
 * @param onSent the comment stands in the lists already
 */
export function useOutbox(postId: string, ownerId: string, onSent: (comment: CommentView) => void): Outbox {
  const queryClient = useQueryClient()
  const place = ownNote(ownerId, `comments.${postId}`, note)
  const [{ typed, to }, setWriting] = useState(() => place.read() ?? nothing)
  // What a page before this one could not send is not being sent.
  const [waiting, setWaiting] = useState<readonly Waiting[]>(() =>
    (place.read() ?? nothing).waiting.map((it) => ({ ...it, state: { is: 'failed', code: undefined } })),
  )
  const [wish, setWish] = useState(0)
  const sending = useRef(new Set<string>())
  useEffect(() => {
    if (typed === '' && waiting.length === 0) return place.drop()
    return place.save({
      typed,
      to,
      waiting: waiting.map(({ id, content, to: t }) => ({ id, content, to: t })),
    })
  })

  const without = (id: string) => (before: readonly Waiting[]) => before.filter((it) => it.id !== id)
  const mark = (id: string, state: WaitingState) =>
    setWaiting((before) => before.map((it) => (it.id === id ? { ...it, state } : it)))

  async function deliver(it: Omit<Waiting, 'state'>): Promise<void> {
    if (sending.current.has(it.id)) return
    sending.current.add(it.id)
    mark(it.id, { is: 'sending' })
    try {
      const body = {
        id: it.id,
        content: it.content,
        ...(it.to && { parent_id: it.to.parentId, answers_id: it.to.answersId }),
      }
      const comment = await call(addComment, { params: { post_id: postId }, body })
      insertComment(queryClient, comment)
      changePostIn(queryClient, postId, (post) => ({
        ...post,
        counts: { ...post.counts, comments: post.counts.comments + 1 },
      }))
      setWaiting(without(it.id))
      onSent(comment)
    } catch (error) {
      mark(it.id, { is: 'failed', code: error instanceof ApiFailure ? error.code : 'internal' })
    } finally {
      sending.current.delete(it.id)
    }
  }

  return {
    typed,
    to,
    waiting,
    wish,
    type: (next) => setWriting((before) => ({ ...before, typed: next })),
    replyTo(next) {
      setWriting((before) => ({ ...before, to: next }))
      if (next) setWish((before) => before + 1)
    },
    write: () => setWish((before) => before + 1),
    send() {
      const content = typed.trim()
      if (content === '') return
      const it = { id: newId(), content, to }
      setWaiting((before) => [{ ...it, state: { is: 'sending' } }, ...before])
      setWriting({ ...nothing })
      void deliver(it)
    },
    again(id) {
      const it = waiting.find((one) => one.id === id)
      if (it) void deliver(it)
    },
    drop: (id) => setWaiting(without(id)),
  }
}
