// ConversationMenu: pins, mutes, archives or deletes a conversation.
import { Link } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Ban,
  Bell,
  BellOff,
  Ellipsis,
  Pin,
  PinOff,
  Search,
  Trash2,
  UserRound,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { requestBlock } from '#src/domain/people/moderation-dialog.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { text } from '#src/domain/text/text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { useConversationActs } from './message-acts.ts'
import { messagesText as words } from './text.ts'

const icon = { 'aria-hidden': true, size: 20 } as const

interface ConversationMenuProps {
  conversation: Pick<ConversationView, 'person' | 'pinned' | 'muted' | 'archived'>
  /** Called when the conversation shows nothing any more. */
  onGone?: () => void
  /** Shown above the items, below the person's name. */
  heading?: ReactNode
}

export function ConversationMenu({ conversation, onGone, heading }: ConversationMenuProps) {
  const { person } = conversation
  const acts = useConversationActs(person.id)
  const [confirming, setConfirming] = useState(false)
  async function clear() {
    setConfirming(false)
    if (!(await acts.clear())) return
    toast(words.cleared, 'success')
    onGone?.()
  }
  const items: MenuItem[] = [
    ...marksOf(conversation, acts.change),
    ...linksOf(person.id),
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

/** Pinning, muting and archiving, each of which is undone by the same item. */
function marksOf(
  it: ConversationMenuProps['conversation'],
  change: ReturnType<typeof useConversationActs>['change'],
): MenuItem[] {
  async function archive() {
    const view = await change({ archived: !it.archived })
    if (view?.archived) toast(words.archived, 'success')
  }
  return [
    {
      is: 'action',
      label: it.pinned ? words.unpin : words.pin,
      icon: it.pinned ? <PinOff {...icon} /> : <Pin {...icon} />,
      onSelect: () => void change({ pinned: !it.pinned }),
    },
    {
      is: 'action',
      label: it.muted ? words.unmute : words.mute,
      icon: it.muted ? <Bell {...icon} /> : <BellOff {...icon} />,
      onSelect: () => void change({ muted: !it.muted }),
    },
    {
      is: 'action',
      label: it.archived ? words.unarchive : words.archive,
      icon: it.archived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />,
      onSelect: () => void archive(),
    },
  ]
}
