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
}

/** The newest message of the other person. */
const newestOf = ({ messages, otherId }: FromOther): MessageView | undefined =>
  messages.findLast((it) => it.sender_id === otherId)

/** Says a new message to assistive technology. */
export function Announcer({ name, ...from }: FromOther & { readonly name: string }) {
  const newest = newestOf(from)
  const [first] = useState(newest?.seq ?? 0)
  const content = newest && newest.seq > first ? lineOf(newest) : undefined
  return <output className="sr-only">{content === undefined ? '' : words.saidBy(name, content)}</output>
}

/** Leads to the newest message, and says when a new one came while older ones are read. */
export function ToNewest({ onPress, ...from }: FromOther & { readonly onPress: () => void }) {
  const seq = newestOf(from)?.seq ?? 0
  const [first] = useState(seq)
  const isNew = seq > first
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
