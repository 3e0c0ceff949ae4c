// WaitingBubbles: messages that are being sent, and refused ones.
import { CircleAlert, Clock } from 'lucide-react'
import { messageRefusal } from '#src/domain/messages/refusal-text.ts'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { Button } from '#src/ui/button.tsx'
import { OutgoingBubble } from './outgoing-bubble.tsx'
import type { OutgoingFiles } from './sending.ts'
import type { MessageOutbox, WaitingMessage } from '#src/features/messages/message-outbox.ts'
import { messagePostText, messagesText as words } from '#src/features/messages/text.ts'

/** A text or a message with files that the server does not have yet. */
export type Waiting = WaitingMessage | OutgoingFiles

interface WaitingBubblesProps {
  /** Oldest first. */
  readonly waiting: readonly Waiting[]
  readonly outbox: Pick<MessageOutbox, 'retry' | 'drop'>
}

export function WaitingBubbles({ waiting, outbox }: WaitingBubblesProps) {
  if (waiting.length === 0) return null
  return (
    <ol>
      {waiting.map((it) => (
        <li key={it.id} className="flex flex-col items-end pt-3">
          {'files' in it ? <OutgoingBubble message={it} /> : <WaitingText message={it} outbox={outbox} />}
        </li>
      ))}
    </ol>
  )
}

interface WaitingTextProps {
  readonly message: WaitingMessage
  readonly outbox: WaitingBubblesProps['outbox']
}

function WaitingText({ message: it, outbox }: WaitingTextProps) {
  return (
    <>
      <p
        dir="auto"
        className="max-w-[85%] rounded-[18px] border border-dashed border-edge px-3.5 py-2 break-words whitespace-pre-wrap [unicode-bidi:plaintext]"
      >
        {it.content === '' ? messagePostText.line : it.content}
      </p>
      {it.state.is === 'sending' ? (
        <output className="flex items-center gap-1 pt-0.5 pr-1 text-xs text-soft">
          {it.state.waits && <Clock aria-hidden size={12} />}
          {it.state.waits ? mutationsText.waits[it.state.waits] : words.sending}
        </output>
      ) : (
        <Failed id={it.id} code={it.state.code} outbox={outbox} />
      )}
    </>
  )
}

interface FailedProps {
  readonly id: string
  readonly code: Extract<WaitingMessage['state'], { is: 'failed' }>['code']
  readonly outbox: Pick<MessageOutbox, 'retry' | 'drop'>
}

function Failed({ id, code, outbox }: FailedProps) {
  return (
    <div role="alert" className="flex max-w-[85%] flex-col items-end pt-0.5">
      <p className="flex gap-1 text-sm text-seal-text">
        <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
        <span>
          {words.failed}。{messageRefusal(code)}
        </span>
      </p>
      <p className="mt-1 flex gap-2">
        <Button look="quiet" size="small" onClick={() => outbox.retry(id)}>
          {words.again}
        </Button>
        <Button look="danger" size="small" onClick={() => outbox.drop(id)}>
          {words.drop}
        </Button>
      </p>
    </div>
  )
}
