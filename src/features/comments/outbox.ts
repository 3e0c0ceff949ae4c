// The outbox of a post's comments: the typed text and unanswered comments.
import { useEffect, useMemo, useState } from 'react'
import * as v from 'valibot'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { id as idSchema, newId } from '#contract/ids.ts'
import {
  mutate,
  dismissRefused,
  retryRefused,
  useOpenMutations,
  useRefusedMutations,
} from '#src/domain/mutations/mutations.ts'
import type { MutationWait, RefusedMutation, ShownMutation } from '#src/domain/mutations/shown-mutations.ts'
import { useStore } from '#src/lib/store.ts'
import { CommentNote, type ReplyTarget, type Unstored } from './comment-note.ts'

/** A comment without a reply of the server. */
export interface Waiting {
  readonly id: string
  readonly content: string
  /** Name of the person whom a reply answers. */
  readonly to: string | undefined
  readonly state: WaitingState
  /** The comment to be noted, if the device has no room for it. */
  readonly unstored: Unstored | undefined
}
type WaitingState =
  | { readonly is: 'sending'; readonly waits: MutationWait }
  | { readonly is: 'failed'; readonly code: RefusedMutation['code'] }

export interface Outbox {
  readonly typed: string
  readonly to: ReplyTarget | null
  /** The composer is open at the foot of the page. */
  readonly open: boolean
  readonly waiting: readonly Waiting[]
  /** Number of requests to write; each focuses the composer. */
  readonly writeRequests: number
  readonly type: (typed: string) => void
  readonly replyTo: (to: ReplyTarget | null) => void
  readonly write: () => void
  /** Called when the composer loses focus; it stays open if it has text. */
  readonly close: () => void
  readonly send: () => void
  readonly retry: (id: string) => void
  readonly drop: (id: string) => void
}

interface Place {
  readonly postId: string
  readonly ownerId: string
  /** Name of the post's author. */
  readonly authorName: string
}

/**
 * @param onReply called with the comment below which a reply was written
 */
export function useOutbox(
  { postId, ownerId, authorName }: Place,
  onReply: (parentId: string) => void,
): Outbox {
  const note = useMemo(() => new CommentNote(ownerId, postId), [ownerId, postId])
  const { typed, to } = useStore(note)
  const [wish, setWriteRequests] = useState(0)
  const refused = useRefusedMutations()
  const waiting = useWaiting(postId, refused)
  useEffect(() => {
    note.sendWaiting(write)
    // Once, for comments of a closed page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [note])
  useEffect(() => note.saveWaiting(waiting.flatMap((it) => it.unstored ?? []).toReversed()))

  function write({ id, content, to: whom }: { id: string; content: string; to: ReplyTarget | null }) {
    const body = { id, content, ...(whom && { parent_id: whom.parentId, answers_id: whom.answersId }) }
    const mutation = { name: 'addComment', params: { post_id: postId }, body } as const
    return mutate(mutation, whom?.name ?? authorName, id)
  }

  return {
    typed,
    to,
    open: wish > 0 || typed !== '' || to !== null,
    waiting,
    writeRequests: wish,
    type: (next) => note.write({ typed: next }),
    replyTo(next) {
      note.write({ to: next })
      if (next) setWriteRequests((before) => before + 1)
    },
    write: () => setWriteRequests((before) => before + 1),
    close: () => setWriteRequests(0),
    send() {
      const content = typed.trim()
      if (content === '') return
      if (to) onReply(to.parentId)
      note.write({ typed: '', to: null })
      void write({ id: newId(), content, to })
    },
    retry: (id) => {
      const it = refused.find((one) => one.id === id)
      if (it) void retryRefused(it)
    },
    drop: (id) => void dismissRefused(id),
  }
}

/** Unanswered and refused comments of a post, the latest first. */
function useWaiting(postId: string, refused: readonly RefusedMutation[]): readonly Waiting[] {
  const open = useOpenMutations(aboutOf({ name: 'addComment', params: { post_id: postId } }))
  return [
    ...refused
      .filter(({ mutation }) => mutation.name === 'addComment' && mutation.params['post_id'] === postId)
      .map((it): Waiting => ({ ...commentOf(it), state: { is: 'failed', code: it.code } })),
    ...open.map((it): Waiting => ({ ...commentOf(it), state: { is: 'sending', waits: it.waits } })),
  ].toReversed()
}

const body = v.fallback(
  v.object({ content: v.string(), parent_id: v.nullish(idSchema), answers_id: v.nullish(idSchema) }),
  { content: '' },
)

function commentOf({ id, mutation, about, inPage }: ShownMutation): Omit<Waiting, 'state'> {
  const { content, parent_id: parentId, answers_id: answersId } = v.parse(body, mutation.body)
  const to = parentId && answersId ? { parentId, answersId, name: about } : null
  return { id, content, to: to?.name, unstored: inPage ? { id, content, to } : undefined }
}
