// MembershipActions: the buttons of a paid membership, with a question before each order.
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { MembershipView } from '#contract/memberships/memberships.ts'
import type { JoinedPlan } from '#contract/plans/members.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { text } from '#src/domain/text/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { useOnline } from '#src/lib/online.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { membershipText as words } from './membership-text.ts'
import { type MembershipAction, useMembership } from './use-membership.ts'

type Asked = Exclude<MembershipAction, 'revoke'>

interface MembershipActionsProps {
  plan: JoinedPlan
  membership: MembershipView
}

export function MembershipActions({ plan, membership }: MembershipActionsProps) {
  const online = useOnline()
  const [asked, setAsked] = useState<Asked>()
  // The question keeps its words while it closes.
  const [shown, setShown] = useState<{ action: Asked; at: number }>({ action: 'cancel', at: 0 })
  const { busy, perform } = useMembership(plan, membership)
  const buttons = useRef<HTMLDivElement>(null)
  const pressed = useRef<Element>(null)
  function ask(action: Asked) {
    pressed.current = document.activeElement
    setShown({ action, at: Date.now() })
    setAsked(action)
  }
  const question = questionOf(shown.action, plan, membership, shown.at)
  return (
    <>
      <div ref={buttons} className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        <Buttons
          plan={plan}
          membership={membership}
          busy={busy}
          onAsk={ask}
          onRevoke={() => void perform('revoke')}
        />
      </div>
      {!online && <p className="mt-2 text-sm text-care-text">{words.offline}</p>}
      <AlertDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && !busy && setAsked(undefined)}
        title={question.title}
        description={question.text}
        cancel={text.cancel}
        // The pressed button is replaced by another one when the order is done.
        finalFocus={() => (pressed.current?.isConnected ? null : firstOf(buttons.current))}
        action={{
          label: question.action,
          danger: shown.action === 'cancel',
          busy,
          onSelect: () => void perform(shown.action).then(() => setAsked(undefined)),
        }}
      />
    </>
  )
}

const firstOf = (buttons: HTMLElement | null) => buttons?.querySelector<HTMLElement>('button, a') ?? null

/** What taking a stop back is called: one's own cancellation is undone, another stop is overruled. */
const resumeWords = ({ why }: MembershipView) => (why === 'cancelled' ? words.resume : words.goOn)

/** The question before an order at this moment, ms since 1970, with its price and days. */
function questionOf(action: Asked, plan: JoinedPlan, membership: MembershipView, now: number) {
  const { paid_until: end, price } = membership
  const next = date(Date.parse(end))
  switch (action) {
    case 'cancel': {
      const { title, text: until, now: atOnce, action: label } = words.cancel
      const isPast = Date.parse(end) <= now
      return { title: title(plan.name), text: isPast ? atOnce : until(lastDay(end)), action: label }
    }
    case 'resume':
      return { ...resumeWords(membership), text: words.resume.text(next, yen(price)) }
    case 'agree': {
      const offered = yen(membership.offered_price ?? price)
      return { ...words.offer, text: words.offer.question(next, yen(price), offered) }
    }
    default:
      return action satisfies never
  }
}

interface ButtonsProps extends MembershipActionsProps {
  busy: boolean
  onAsk: (action: Asked) => void
  onRevoke: () => void
}

function Buttons({ plan, membership, busy, onAsk, onRevoke }: ButtonsProps) {
  const online = useOnline()
  const { state, next, offered_price: offered } = membership
  const common = { size: 'small', disabled: !online } as const
  const card = <CardLink plan={plan} membership={membership} />
  if (state === 'cancelling' || state === 'ended')
    return membership.card === null ? <Resume {...{ plan, membership, onAsk }} /> : card
  return (
    <>
      {state === 'past_due' && card}
      {offered !== null && (
        <Button
          {...common}
          look="ink"
          aria-label={words.offer.openOf(plan.name)}
          onClick={() => onAsk('agree')}
        >
          {words.offer.open}
        </Button>
      )}
      {next ? (
        <Button {...common} look="quiet" busy={busy} busyLabel={text.working} onClick={onRevoke}>
          {words.change.revoke}
        </Button>
      ) : (
        state === 'active' && (
          <Link
            to="/profile/$id"
            params={{ id: plan.creator.id }}
            search={{ type: 'plan' }}
            hash="plan-list"
            aria-label={words.change.openOf(plan.name)}
            className={buttonClass('quiet', 'small')}
          >
            {words.change.open}
          </Link>
        )
      )}
      {state !== 'past_due' && card}
      <Button
        {...common}
        look="danger"
        aria-label={words.cancel.openOf(plan.name)}
        onClick={() => onAsk('cancel')}
      >
        {words.cancel.open}
      </Button>
    </>
  )
}

function Resume({ plan, membership, onAsk }: Pick<ButtonsProps, 'plan' | 'membership' | 'onAsk'>) {
  const online = useOnline()
  if (!membership.can_resume) return null
  const { open, openOf } = resumeWords(membership)
  return (
    <Button
      look="ink"
      size="small"
      disabled={!online}
      aria-label={openOf(plan.name)}
      onClick={() => onAsk('resume')}
    >
      {open}
    </Button>
  )
}

/** Leads to the confirmation of another card; nothing where the card cannot be changed. */
function CardLink({ plan, membership: { id, card, state } }: MembershipActionsProps) {
  if (card === null) return null
  return (
    <Link
      to="/payment"
      search={{ card: id }}
      aria-label={words.card.openOf(plan.name)}
      className={buttonClass(state === 'active' && card === 'register' ? 'quiet' : 'ink', 'small')}
    >
      {words.card.open}
    </Link>
  )
}
