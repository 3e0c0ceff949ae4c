// ConversationHead: the other person of a conversation, with presence and typing.
import { Link } from '@tanstack/react-router'
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { Presence } from '#contract/messages/presence.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { cx } from '#src/ui/cx.ts'
import { messagesText as words } from '#src/features/messages/text.ts'
import { PresenceText } from './presence.tsx'
import { useTyping } from './use-typing.ts'

interface ConversationHeadProps {
  readonly view: ConversationView
  readonly presence: Presence | null
}

export function ConversationHead({ view, presence }: ConversationHeadProps) {
  const { person } = view
  const { isShown, isAnnounced } = useTyping(view)
  const hasLine = isShown || presence !== null
  return (
    <>
      <Link
        to="/profile/$id"
        params={{ id: person.id }}
        className="flex min-h-11 min-w-0 items-center gap-2 rounded-pill pr-3 hover:bg-sunk"
      >
        <Avatar name={person.name} src={person.avatar_url} size={28} />
        <span className="min-w-0">
          <span className={cx('block truncate font-semibold', hasLine ? 'leading-5' : 'text-lg')}>
            {person.name}
          </span>
          {/* Typing is said by the region below: a link whose name changes is read again. */}
          {isShown ? (
            <span aria-hidden className="block truncate text-xs leading-4 text-soft">
              {words.typing}
            </span>
          ) : (
            presence && (
              <span className="block truncate text-xs leading-4 text-soft">
                <PresenceText presence={presence} />
              </span>
            )
          )}
        </span>
      </Link>
      <output className="sr-only">{isAnnounced ? words.typingBy(person.name) : ''}</output>
    </>
  )
}
