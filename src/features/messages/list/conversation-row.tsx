// ConversationRow: one conversation of a list.
import { Link } from '@tanstack/react-router'
import { BellOff, Pin } from 'lucide-react'
import { useMemo } from 'react'
import type { ConversationList } from '#contract/messages/conversation-lists.ts'
import type { ListedConversation } from '#contract/messages/conversations.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { useStore } from '#src/lib/store.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Mark } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { When } from '#src/ui/text/when.tsx'
import { ConversationMenu } from '#src/features/messages/conversation-menu.tsx'
import { noteOpened } from '#src/features/messages/keys/list-keys.ts'
import { lineOf } from '#src/features/messages/message-line.ts'
import { MessageNote } from '#src/features/messages/message-note.ts'
import { messagesText as words } from '#src/features/messages/text.ts'
import { type ConversationMark, useConversationMarks } from './conversation-marks.tsx'
import { SwipeRow } from './swipe-row.tsx'

interface ConversationRowProps {
  conversation: ListedConversation
  ownId: string
  list: ConversationList
  /** Whether this row is moved to the side. */
  isSwiped: boolean
  onSwiped: (is: boolean) => void
}

export function ConversationRow({ conversation: it, ownId, list, isSwiped, onSwiped }: ConversationRowProps) {
  const { person, unread } = it
  const marked = { ...it, newest: it.last_message?.seq ?? 0 }
  const { read, pin, mute, archive } = useConversationMarks(marked)
  // A message request is accepted or declined first.
  const canMark = list !== 'requests'
  const note = useMemo(() => new MessageNote(ownId, person.id), [ownId, person.id])
  const { typed } = useStore(note)
  const at = Date.parse(it.last_at)
  return (
    <SwipeRow
      start={canMark ? [pin, read].filter(isMark) : []}
      end={canMark ? [mute, archive] : []}
      isSwiped={isSwiped}
      onSwiped={onSwiped}
      className={cx(
        'relative flex items-center gap-3 py-3 pr-1 pl-4 hover:bg-sunk rail:pr-3 rail:pl-6',
        it.pinned ? 'bg-raised' : 'bg-paper',
      )}
    >
      <Avatar name={person.name} src={person.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <Link
            to="/chat-messages/$id"
            params={{ id: person.id }}
            search={{}}
            draggable={false}
            onClick={() => noteOpened(it.conversation_id)}
            className="truncate font-semibold after:absolute after:inset-0"
          >
            {person.name}
          </Link>
          {it.pinned && <Pin aria-label={words.isPinned} size={14} className="shrink-0 text-soft" />}
          {it.muted && <BellOff aria-label={words.isMuted} size={14} className="shrink-0 text-soft" />}
          <span className="ml-auto shrink-0 text-xs text-soft">
            <When at={it.last_at} format={(_, now) => relative(at, now)} whole={dateTime(at)} />
          </span>
        </p>
        <p className="flex items-center gap-2">
          <span
            dir="auto"
            className={cx('min-w-0 flex-1 truncate text-sm', unread > 0 ? 'text-ink' : 'text-soft')}
          >
            {typed.trim() === '' ? lastOf(it, ownId) : words.draft(typed.trim())}
          </span>
          <Mark count={unread} label={words.unreadCount(unread)} />
        </p>
      </div>
      <div className="relative z-1">
        <ConversationMenu conversation={marked} />
      </div>
    </SwipeRow>
  )
}

const isMark = (it: ConversationMark | undefined): it is ConversationMark => it !== undefined

/** The newest message in one line. */
function lastOf({ last_message: last }: ListedConversation, ownId: string): string {
  if (!last) return words.noMessage
  const line = lineOf(last)
  if (line === undefined) return words.unsentRow
  return last.sender_id === ownId ? words.own(line) : line
}
