// useBubbleContext: what the bubbles of a conversation share.
import { useEffect, useMemo, useRef, useState } from 'react'
import { UNSEND_MS } from '#contract/limits.ts'
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import type { PersonView } from '#contract/people/people.ts'
import { lineOf } from './message-line.ts'
import type { MessageOutbox } from './message-outbox.ts'

/** What the bubbles of a conversation share; the same object until something in it changes. */
export interface BubbleContext {
  readonly person: PersonView
  readonly ownId: string
  /** Whether replies and reactions are possible. */
  readonly canWrite: boolean
  /** Whether links of the other person are links: not in a message request. */
  readonly hasLinks: boolean
  /** Own messages before this moment can no longer be unsent, ms since 1970. */
  readonly unsendAfter: number
  /** The message to which the address leads. */
  readonly marked: number | undefined
  readonly onJump: (seq: number) => void
  readonly onAnswer: (message: MessageView) => void
}

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
      const excerpt = Array.from(lineOf(message) ?? '')
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
