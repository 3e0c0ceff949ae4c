// useBubbleContext: what the bubbles of a conversation share.
import { useEffect, useMemo, useRef, useState } from 'react'
import { UNSEND_MS } from '#contract/limits.ts'
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { type BubbleContext, textOf } from './bubble.tsx'
import type { MessageOutbox } from './message-outbox.ts'

/** Characters of a message above the composer that answers it. */
const EXCERPT = 100

interface Sources {
  readonly view: ConversationView
  readonly ownId: string
  readonly around: number | undefined
  readonly outbox: Pick<MessageOutbox, 'answer'>
  readonly onJump: (seq: number | undefined) => void
  /** Shows a message that is in the document. */
  readonly show: (seq: number) => boolean
}

export function useBubbleContext({ view, ownId, around, outbox, onJump, show }: Sources): BubbleContext {
  const [openedAt] = useState(() => Date.now())
  const jump = useRef<(seq: number) => void>(undefined)
  const answer = useRef<(message: MessageView) => void>(undefined)
  useEffect(() => {
    jump.current = (seq) => {
      if (!show(seq)) onJump(seq)
    }
    answer.current = (message) => {
      const excerpt = Array.from(textOf(message) ?? '')
        .slice(0, EXCERPT)
        .join('')
      outbox.answer({ id: message.id, excerpt })
    }
  })
  const { person, is_request: isRequest } = view
  const canWrite = view.may_write === 'open' && !isRequest
  return useMemo(
    () => ({
      person,
      ownId,
      canWrite,
      hasLinks: !isRequest,
      unsendAfter: openedAt - UNSEND_MS,
      marked: around,
      onJump: (seq) => jump.current?.(seq),
      onAnswer: (message) => answer.current?.(message),
    }),
    [person, ownId, canWrite, isRequest, openedAt, around],
  )
}
