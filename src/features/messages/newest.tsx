// Announcer and ToNewest: a new message is announced, and a button leads to it.
import { ArrowDown } from 'lucide-react'
import { useState } from 'react'
import type { MessageView } from '#contract/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { lineOf } from './message-line.ts'
import { messagesText as words } from './text.ts'

interface FromOther {
  readonly messages: readonly MessageView[]
  readonly otherId: string
  /** Sequence number of the conversation's newest message. */
  readonly lastSeq: number
}

/** The newest message of the other person, if it came after the conversation was opened. */
function useNewer({ messages, otherId, lastSeq }: FromOther): MessageView | undefined {
  const [first] = useState(lastSeq)
  return messages.findLast((it) => it.sender_id === otherId && it.seq > first)
}

/** Says a new message to assistive technology. */
export function Announcer({ name, ...from }: FromOther & { readonly name: string }) {
  const newer = useNewer(from)
  const content = newer && lineOf(newer)
  return <output className="sr-only">{content === undefined ? '' : words.saidBy(name, content)}</output>
}

/** Leads to the newest message, and says when a new one came while older ones are read. */
export function ToNewest({
  lastSeq,
  onPress,
}: Pick<FromOther, 'lastSeq'> & { readonly onPress: () => void }) {
  const [first] = useState(lastSeq)
  const isNew = lastSeq > first
  return (
    <p className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <Button
        look={isNew ? 'ink' : 'quiet'}
        size="small"
        icon={<ArrowDown aria-hidden size={16} />}
        className={cx('pointer-events-auto shadow-float', !isNew && 'bg-paper')}
        onClick={onPress}
      >
        {isNew ? words.newer : words.toNewest}
      </Button>
    </p>
  )
}
