// useConversationMarks: reading, pinning, muting and archiving of a conversation, for menu and swipe.
import { Archive, ArchiveRestore, Bell, BellOff, CheckCheck, Pin, PinOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { noticesPort } from '#src/domain/notifications/notices-port.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { useConversationActs } from '#src/features/messages/message-acts.ts'
import { messagesText as words } from '#src/features/messages/text.ts'

const icon = { 'aria-hidden': true, size: 20 } as const

export interface ConversationMark {
  readonly label: string
  /** Below the icon of a swiped row. */
  readonly short: string
  readonly icon: ReactNode
  readonly onSelect: () => void
}

export interface MarkedConversation extends Pick<
  ConversationView,
  'person' | 'pinned' | 'muted' | 'archived' | 'unread'
> {
  /** Sequence number of the newest message that the viewer sees. */
  readonly newest: number
}

/** Pinning, muting and archiving are undone by the same mark. `read`: undefined where nothing is unread. */
export function useConversationMarks(it: MarkedConversation) {
  const { change, read } = useConversationActs(it.person.id)
  async function archive() {
    const view = await change({ archived: !it.archived })
    if (view?.archived) toast(words.archived, 'success')
  }
  async function markRead() {
    if (await read(it.newest)) noticesPort.readConversation(it.person.id)
  }
  return {
    read:
      it.unread > 0 && it.newest > 0
        ? mark(words.markRead, words.swipe.read, <CheckCheck {...icon} />, () => void markRead())
        : undefined,
    pin: it.pinned
      ? mark(words.unpin, words.swipe.unpin, <PinOff {...icon} />, () => void change({ pinned: false }))
      : mark(words.pin, words.swipe.pin, <Pin {...icon} />, () => void change({ pinned: true })),
    mute: it.muted
      ? mark(words.unmute, words.swipe.unmute, <Bell {...icon} />, () => void change({ muted: false }))
      : mark(words.mute, words.swipe.mute, <BellOff {...icon} />, () => void change({ muted: true })),
    archive: it.archived
      ? mark(words.unarchive, words.swipe.unarchive, <ArchiveRestore {...icon} />, () => void archive())
      : mark(words.archive, words.swipe.archive, <Archive {...icon} />, () => void archive()),
  }
}

const mark = (label: string, short: string, sign: ReactNode, onSelect: () => void): ConversationMark => ({
  label,
  short,
  icon: sign,
  onSelect,
})
