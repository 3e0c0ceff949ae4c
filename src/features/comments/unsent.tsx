// Unsent: comments that are being sent, and refused ones.
import { CircleAlert, Clock } from 'lucide-react'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { commentsText as words } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { Button } from '#src/ui/button.tsx'
import type { Outbox, Waiting } from './outbox.ts'

export function Unsent({ outbox }: { outbox: Outbox }) {
  return (
    <ul>
      {outbox.waiting.map((it) => (
        <li key={it.id} className="border-b border-line px-4 py-3 rail:px-6">
          {it.to && <p className="text-sm text-soft">{words.answers(it.to)}</p>}
          <p dir="auto" className="break-words whitespace-pre-wrap text-soft [unicode-bidi:plaintext]">
            {it.content}
          </p>
          {it.state.is === 'sending' ? (
            <output className="flex items-center gap-1.5 text-sm text-soft">
              {it.state.waits && <Clock aria-hidden size={14} />}
              {it.state.waits ? mutationsText.waits[it.state.waits] : words.sending}
            </output>
          ) : (
            <Failed it={it} code={it.state.code} outbox={outbox} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface FailedProps {
  it: Waiting
  code: Extract<Waiting['state'], { is: 'failed' }>['code']
  outbox: Outbox
}

function Failed({ it, code, outbox }: FailedProps) {
  return (
    <div role="alert" className="mt-1">
      <p className="flex gap-1.5 text-sm text-seal-text">
        <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
        <span>
          {words.unsent}。{errorText[code]}
        </span>
      </p>
      <p className="mt-1 flex gap-2">
        <Button look="quiet" size="small" onClick={() => outbox.retry(it.id)}>
          {words.again}
        </Button>
        <Button look="danger" size="small" onClick={() => outbox.drop(it.id)}>
          {words.drop}
        </Button>
      </p>
    </div>
  )
}
