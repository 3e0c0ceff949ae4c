// Thread: a conversation with one person, with the field of a new message.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { catchUp } from '#src/domain/messages/catch-up.ts'
import { conversationQuery } from '#src/domain/messages/message-queries.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { isLive, onJoined } from '#src/domain/realtime/realtime.ts'
import { conversationPosition } from '#src/lib/scroll-positions.ts'
import { messageFilesText } from './files/text.ts'
import { useDroppedFiles } from './files/use-dropped-files.ts'
import { useMessageFiles } from './files/use-message-files.ts'
import { useThreadKeys } from './keys/use-thread-keys.ts'
import { mayWrite } from './may-write.ts'
import { MessageComposer } from './message-composer.tsx'
import { useMessageOutbox } from './message-outbox.ts'
import { Messages } from './messages.tsx'
import { RequestBar } from './request-bar.tsx'

/** Changes are requested at this interval while no live events are received, ms. */
const POLL_MS = 15_000

interface ThreadProps {
  readonly ownId: string
  readonly userId: string
  /** The message in the address. */
  readonly around: number | undefined
  /** Whether the field is focused when the conversation opens. */
  readonly isReplying: boolean
  /** Leads to a message; undefined: to the newest. */
  readonly onJump: (seq: number | undefined) => void
  /** Called when the conversation shows nothing any more. */
  readonly onGone: () => void
  readonly onBack: () => void
}

export function Thread({ ownId, userId, around, isReplying, onJump, onGone, onBack }: ThreadProps) {
  const { data: view } = useSuspenseQuery(conversationQuery(userId))
  const outbox = useMessageOutbox({ ownerId: ownId, userId, name: view.person.name, isReplying })
  const files = useMessageFiles({ ownerId: ownId, recipientId: userId })
  const thread = useRef<HTMLDivElement>(null)
  const isDropping = useDroppedFiles(thread, mayWrite(view) ? files.add : undefined)
  useCatchingUp(ownId, userId)
  const [left, setLeft] = useState(() => conversationPosition(userId))
  const [hasJumped, setJumped] = useState(false)
  const jump = (seq: number | undefined) => {
    setLeft(undefined)
    setJumped(true)
    onJump(seq)
  }
  useThreadKeys(thread, { onEndReply: outbox.answers ? () => outbox.answer(null) : undefined, onBack })
  return (
    <div ref={thread} data-fills-window className="relative flex min-h-0 flex-1 flex-col">
      {isDropping && (
        <p className="pointer-events-none absolute inset-2 z-1 grid place-items-center rounded-media border-2 border-dashed border-ink bg-paper/90 font-semibold">
          {messageFilesText.drop}
        </p>
      )}
      {/* Another place is another list: its position and its blocks begin anew. */}
      <Messages
        key={around ?? 'newest'}
        view={view}
        ownId={ownId}
        around={around}
        left={left}
        hasJumped={hasJumped}
        outbox={outbox}
        onJump={jump}
      />
      {view.is_request ? (
        <RequestBar person={view.person} onGone={onGone} />
      ) : (
        <MessageComposer
          view={view}
          outbox={outbox}
          files={files}
          onSent={() => around !== undefined && jump(undefined)}
        />
      )}
    </div>
  )
}

/** Reads what has changed since the cached messages were read: now, once live events come, and while none are received. */
function useCatchingUp(ownId: string, userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const read = () =>
      catchUp(client, userId).catch((error: unknown) => console.warn('messages were not read', error))
    const readAll = () => {
      void read()
      void client.invalidateQueries(conversationQuery(userId))
    }
    void read()
    const stop = onJoined(personChannel(ownId), readAll)
    const timer = setInterval(() => {
      if (!isLive() && document.visibilityState === 'visible') readAll()
    }, POLL_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [client, ownId, userId])
}
