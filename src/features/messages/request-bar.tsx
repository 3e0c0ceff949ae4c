// RequestBar: accepts or declines a message request, or blocks its sender.
import { useState } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { requestBlock } from '#src/domain/people/moderation-dialog.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { useConversationActs } from './message-acts.ts'
import { messagesText as words } from './text.ts'

interface RequestBarProps {
  readonly person: ConversationView['person']
  /** Called after the request was declined or its sender blocked. */
  readonly onGone: () => void
}

export function RequestBar({ person, onGone }: RequestBarProps) {
  const acts = useConversationActs(person.id)
  const [busy, setBusy] = useState<'accept' | 'decline'>()
  async function answer(it: 'accept' | 'decline') {
    setBusy(it)
    const view = await acts[it]().finally(() => setBusy(undefined))
    if (!view) return
    toast(it === 'accept' ? words.accepted : words.declined, 'success')
    if (it === 'decline') onGone()
  }
  const busyProps = (it: 'accept' | 'decline') => ({ busy: busy === it, busyLabel: text.working })
  return (
    <section aria-label={words.request(person.name)} className="border-t border-line px-4 py-3">
      <p className="text-center font-semibold">{words.request(person.name)}</p>
      <p className="mt-1 text-center text-sm text-soft">{words.requestText}</p>
      <div className="mt-3 grid grid-cols-3 gap-2">
        <Button look="danger" size="small" className="px-2" onClick={() => requestBlock(person, onGone)}>
          {words.block}
        </Button>
        <Button
          look="quiet"
          size="small"
          className="px-2"
          {...busyProps('decline')}
          onClick={() => void answer('decline')}
        >
          {words.decline}
        </Button>
        <Button
          look="ink"
          size="small"
          className="px-2"
          {...busyProps('accept')}
          onClick={() => void answer('accept')}
        >
          {words.accept}
        </Button>
      </div>
    </section>
  )
}
