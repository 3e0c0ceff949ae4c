// ConversationMenu: pins, mutes, archives or deletes a conversation.
import { Link } from '@tanstack/react-router'
import { Ban, Ellipsis, Search, Trash2, UserRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { requestBlock } from '#src/domain/people/moderation-dialog.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { text } from '#src/domain/text/text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { type MarkedConversation, useConversationMarks } from './list/conversation-marks.tsx'
import { useConversationActs } from './message-acts.ts'
import { messagesText as words } from './text.ts'

const icon = { 'aria-hidden': true, size: 20 } as const

interface ConversationMenuProps {
  conversation: MarkedConversation
  /** Called when the conversation shows nothing any more. */
  onGone?: () => void
  /** Shown above the items, below the person's name. */
  heading?: ReactNode
  /** Further items, above those that remove something. */
  more?: readonly MenuItem[]
}

export function ConversationMenu({ conversation, onGone, heading, more }: ConversationMenuProps) {
  const { person } = conversation
  const acts = useConversationActs(person.id)
  const marks = useConversationMarks(conversation)
  const [confirming, setConfirming] = useState(false)
  async function clear() {
    setConfirming(false)
    if (!(await acts.clear())) return
    toast(words.cleared, 'success')
    onGone?.()
  }
  const items: MenuItem[] = [
    ...[marks.read, marks.pin, marks.mute, marks.archive].flatMap((it) =>
      it ? [{ is: 'action' as const, ...it }] : [],
    ),
    ...linksOf(person.id),
    ...(more ?? []),
    { is: 'separator' },
    {
      is: 'action',
      label: peopleText.block(person.name),
      icon: <Ban {...icon} />,
      danger: true,
      onSelect: () => requestBlock(person, onGone),
    },
    {
      is: 'action',
      label: words.clear,
      icon: <Trash2 {...icon} />,
      danger: true,
      onSelect: () => setConfirming(true),
    },
  ]
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label={words.menu(person.name)} icon={<Ellipsis size={20} />} />}
        items={items}
        heading={heading && <Heading name={person.name}>{heading}</Heading>}
      />
      <AlertDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={words.clearTitle}
        description={words.clearText(person.name)}
        cancel={text.cancel}
        action={{ label: words.clearAct, danger: true, onSelect: () => void clear() }}
      />
    </>
  )
}

function Heading({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <span className="block truncate font-semibold">{name}</span>
      <span className="text-sm text-soft">{children}</span>
    </>
  )
}

const linksOf = (userId: string): MenuItem[] => [
  {
    is: 'link',
    label: words.profile,
    icon: <UserRound {...icon} />,
    render: <Link to="/profile/$id" params={{ id: userId }} />,
  },
  {
    is: 'link',
    label: words.searchHere,
    icon: <Search {...icon} />,
    render: <Link to="/chat-messages/search-detail" search={{ q: '', user: userId }} />,
  },
]
