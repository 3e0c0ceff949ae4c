// The composer's text of a conversation, and its messages without a reply of the server.
import { useEffect, useMemo, useState } from 'react'
import * as v from 'valibot'
import { id as idSchema, newId } from '#contract/ids.ts'
import { isInvisible } from '#contract/text/text-rule.ts'
import { aboutOf } from '#contract/mutations/mutations.ts'
import type { Between, MessageWords } from '#device/jobs/message.ts'
import {
  dismissRefused,
  mutate,
  retryRefused,
  useOpenMutations,
  useRefusedMutations,
} from '#src/domain/mutations/mutations.ts'
import type { MutationWait, RefusedMutation, ShownMutation } from '#src/domain/mutations/shown-mutations.ts'
import { useStore } from '#src/lib/store.ts'
import { submitMessage } from '#src/sw-bridge.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { messageFilesText } from './files/text.ts'
import type { MessageFiles } from './files/use-message-files.ts'
import { type AnsweredMessage, MessageNote, type UnstoredMessage } from './message-note.ts'

/** A message without a reply of the server. */
export interface WaitingMessage {
  readonly id: string
  readonly content: string
  readonly state: WaitingState
}
type WaitingState =
  | { readonly is: 'sending'; readonly waits: MutationWait }
  | { readonly is: 'failed'; readonly code: RefusedMutation['code'] }

export interface MessageOutbox {
  readonly typed: string
  readonly answers: AnsweredMessage | null
  /** Oldest first. */
  readonly waiting: readonly WaitingMessage[]
  /** Number of requests to write; each focuses the composer. */
  readonly writeRequests: number
  readonly type: (typed: string) => void
  readonly answer: (message: AnsweredMessage | null) => void
  readonly send: () => void
  /** Sends the shown files with the text. */
  readonly sendWithFiles: (files: ShownFiles) => void
  readonly retry: (id: string) => void
  readonly drop: (id: string) => void
}

type ShownFiles = Pick<MessageFiles, 'items' | 'restore'>

interface Recipient {
  readonly ownerId: string
  readonly userId: string
  readonly name: string
  /** Whether the composer is focused at first. */
  readonly isReplying: boolean
}

export function useMessageOutbox({ ownerId, userId, name, isReplying }: Recipient): MessageOutbox {
  const note = useMemo(() => new MessageNote(ownerId, userId), [ownerId, userId])
  const { typed, answers } = useStore(note)
  const [writeRequests, setWriteRequests] = useState(isReplying ? 1 : 0)
  const refused = useRefusedMutations()
  const open = useOpenMutations(aboutOf({ name: 'sendMessage', params: { user_id: userId } }))
  const own = refused.filter((it) => isTo(it, userId))
  const waiting = [
    ...own.map((it): WaitingMessage => ({ ...messageOf(it), state: { is: 'failed', code: it.code } })),
    ...open.map((it): WaitingMessage => ({ ...messageOf(it), state: { is: 'sending', waits: it.waits } })),
  ]
  useEffect(() => {
    note.sendWaiting(write)
    // Once, for messages of a closed page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [note])
  useEffect(() => note.saveWaiting(open.filter((it) => it.inPage).map(messageOf)))

  function write({ id, content, replyTo, postId }: UnstoredMessage) {
    const body = { id, content, reply_to: replyTo, post_id: postId }
    return mutate({ name: 'sendMessage', params: { user_id: userId }, body }, name, id)
  }

  async function sendWithFiles(files: ShownFiles) {
    const words = { content: textOf(typed), replyTo: answers?.id ?? null, about: name }
    const isSent = await submitShown({ ownerId, recipientId: userId }, words, files)
    // What was typed in the meantime stays.
    if (isSent && note.get().typed === typed) note.write({ typed: '', answers: null })
  }

  return {
    typed,
    answers,
    waiting,
    writeRequests,
    type: (next) => note.write({ typed: next }),
    answer(message) {
      note.write({ answers: message })
      if (message) setWriteRequests((before) => before + 1)
    },
    sendWithFiles: (files) => void sendWithFiles(files),
    send() {
      const content = textOf(typed)
      if (content === '') return
      note.write({ typed: '', answers: null })
      void write({ id: newId(), content, replyTo: answers?.id ?? null, postId: null })
    },
    retry: (id) => {
      const it = own.find((one) => one.id === id)
      if (it) void retryRefused(it)
    },
    drop: (id) => void dismissRefused(id),
  }
}

/** Submits the shown files with a text, or shows why they were not submitted. */
async function submitShown(
  between: Between,
  words: MessageWords,
  { items, restore }: ShownFiles,
): Promise<boolean> {
  const shown = items.map(({ media }) => media)
  try {
    const end = await submitMessage(between, words, shown)
    if (end.is === 'changed') toast(messageFilesText.changed, 'error')
    if (end.is === 'incomplete' || end.is === 'missing') toast(messageFilesText.notSent, 'error')
    if (end.is === 'missing') restore()
    return end.is === 'submitted'
  } catch (error) {
    console.error('Upload error!', error)
    toast(messageFilesText.notSent, 'error')
    return false
  }
}

/** What is sent of the typed text; '' for one without visible characters. */
const textOf = (typed: string): string => (isInvisible(typed) ? '' : typed.trim())

const isTo = ({ mutation }: ShownMutation, userId: string): boolean =>
  mutation.name === 'sendMessage' && mutation.params['user_id'] === userId

const nullableId = v.optional(v.nullable(idSchema), null)
const body = v.fallback(v.object({ content: v.string(), reply_to: nullableId, post_id: nullableId }), {
  content: '',
  reply_to: null,
  post_id: null,
})

function messageOf({ id, mutation }: ShownMutation): UnstoredMessage {
  const { content, reply_to: replyTo, post_id: postId } = v.parse(body, mutation.body)
  return { id, content, replyTo, postId }
}
