// ConversationRow: one conversation of a list.
import { Link } from '@tanstack/react-router'
import { BellOff, Pin } from 'lucide-react'
import { useMemo } from 'react'
import type { ListedConversation } from '#contract/messages/conversations.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { useStore } from '#src/lib/store.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Mark } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { When } from '#src/ui/text/when.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { lineOf } from './message-line.ts'
import { MessageNote } from './message-note.ts'
import { messagesText as words } from './text.ts'

interface ConversationRowProps {
  conversation: ListedConversation
  ownId: string
}

export function ConversationRow({ conversation: it, ownId }: ConversationRowProps) {
  const { person, unread } = it
  const note = useMemo(() => new MessageNote(ownId, person.id), [ownId, person.id])
  const { typed } = useStore(note)
  const at = Date.parse(it.last_at)
  return (
    <li
      className={cx(
        'relative flex items-center gap-3 border-b border-line py-3 pr-1 pl-4 hover:bg-sunk rail:pr-3 rail:pl-6',
        it.pinned && 'bg-raised',
      )}
    >
      <Avatar name={person.name} src={person.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <Link
            to="/chat-messages/$id"
            params={{ id: person.id }}
            search={{}}
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
        <ConversationMenu conversation={it} />
      </div>
    </li>
  )
}

/** The newest message in one line. */
function lastOf({ last_message: last }: ListedConversation, ownId: string): string {
  if (!last) return words.noMessage
  const line = lineOf(last)
  if (line === undefined) return words.unsentRow
  return last.sender_id === ownId ? words.own(line) : line
}
