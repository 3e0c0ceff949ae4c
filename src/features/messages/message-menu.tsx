// MessageMenu: reactions, reply, copying, unsending and deleting of one message.
import { Copy, Ellipsis, Flag, Reply, Trash2, Undo2, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { reaction } from '#contract/messages/messages.ts'
import { requestReport } from '#src/domain/people/moderation-dialog.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'
import { useMessageActs } from './message-acts.ts'
import { lineOf } from './message-line.ts'
import type { ShownMessage } from './shown-messages.ts'
import { messagesText as words } from './text.ts'
import type { BubbleContext } from './use-bubble-context.ts'

const icon = { 'aria-hidden': true, size: 20 } as const
/** Characters of a message in the name of its menu. */
const NAMED = 20

interface MessageMenuProps {
  readonly shown: ShownMessage
  readonly context: BubbleContext
}

export function MessageMenu({ shown, context }: MessageMenuProps) {
  const { message, isOwn } = shown
  const [confirming, setConfirming] = useState<Confirmed>()
  const items = useItems(shown, context, setConfirming)
  if (message.body.is === 'unsent') return null
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={words.acts(shortened(lineOf(message) ?? ''))}
            className="relative grid size-8 shrink-0 place-items-center rounded-pill text-soft group-hover:opacity-100 before:absolute before:-inset-1.5 hover:bg-sunk focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:hover)]:opacity-0"
          >
            <Ellipsis aria-hidden size={18} />
          </button>
        }
        items={items}
        align={isOwn ? 'end' : 'start'}
      />
      <Confirmation
        message={message}
        userId={context.person.id}
        confirming={confirming}
        onClose={() => setConfirming(undefined)}
      />
    </>
  )
}

/** What is confirmed before it is done. */
type Confirmed = 'unsend' | 'hide'

function useItems(
  { message, isOwn }: ShownMessage,
  context: BubbleContext,
  confirm: (it: Confirmed) => void,
): MenuItem[] {
  const acts = useMessageActs(context.person.id)
  const { body } = message
  if (body.is === 'unsent') return []
  const own = body.reactions.find((it) => it.user_id === context.ownId)?.reaction
  const canUnsend = isOwn && Date.parse(message.sent_at) > context.unsendAfter
  const act = (label: string, sign: ReactNode, onSelect: () => void, danger = false): MenuItem => ({
    is: 'action',
    label,
    icon: sign,
    onSelect,
    danger,
  })
  const reactions = reaction.options.map((it): MenuItem => ({
    is: 'choice',
    label: words.react(it),
    checked: it === own,
    onSelect: () => void acts.react(message, it),
  }))
  const removal = act(words.removeReaction, <X {...icon} />, () => void acts.react(message, undefined))
  const answer = act(words.answer, <Reply {...icon} />, () => context.onAnswer(message))
  return [
    ...(context.canWrite ? [...reactions, ...(own ? [removal] : [])] : []),
    ...(context.canWrite ? [{ is: 'separator' as const }, answer] : []),
    ...(body.content === ''
      ? []
      : [act(words.copy, <Copy {...icon} />, () => void copyText(body.content, words))]),
    ...(canUnsend ? [act(words.unsend, <Undo2 {...icon} />, () => confirm('unsend'))] : []),
    act(words.hide, <Trash2 {...icon} />, () => confirm('hide'), true),
    ...(isOwn
      ? []
      : [
          act(
            words.report,
            <Flag {...icon} />,
            () => requestReport('message', message.id, context.person),
            true,
          ),
        ]),
  ]
}

interface ConfirmationProps {
  readonly message: ShownMessage['message']
  readonly userId: string
  readonly confirming: Confirmed | undefined
  readonly onClose: () => void
}

function Confirmation({ message, userId, confirming, onClose }: ConfirmationProps) {
  const acts = useMessageActs(userId)
  const isUnsending = confirming === 'unsend'
  return (
    <AlertDialog
      open={confirming !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={isUnsending ? words.unsendTitle : words.hideTitle}
      description={isUnsending ? words.unsendText : words.hideText}
      cancel={text.cancel}
      action={{
        label: isUnsending ? words.unsendAct : words.hideAct,
        danger: true,
        onSelect: () => {
          onClose()
          void (isUnsending ? acts.unsend(message) : acts.hide(message))
        },
      }}
    />
  )
}

function shortened(content: string): string {
  const characters = Array.from(content)
  return characters.length > NAMED ? `${characters.slice(0, NAMED).join('')}…` : content
}
