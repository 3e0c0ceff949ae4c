// ClosedPlanOrder: why a plan cannot be ordered, and the link that leads on.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RunningMembership } from '#contract/memberships/memberships.ts'
import { lastDay, planWords } from '#src/domain/plans/text.ts'
import { date, dateTime, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { ClosedOrder } from './order-frame.tsx'
import type { PlanOrderReply, PlanOrderState } from './plan-order-state.ts'
import { planClosedText as words } from './plan-text.ts'

type ClosedState = Exclude<PlanOrderState, { is: 'join' | 'change' }>

interface ClosedPlanOrderProps {
  order: PlanOrderReply
  state: ClosedState
}

export function ClosedPlanOrder({ order, state }: ClosedPlanOrderProps) {
  return <ClosedOrder {...textsOf(state)} action={actionOf(order, state)} />
}

/** Shown for a plan that does not exist for this person. */
export function UnknownPlanOrder({ action }: { action: ReactNode }) {
  return <ClosedOrder {...words.unknown} action={action} />
}

const nameOf = ({ plan }: RunningMembership) => plan?.name ?? words.erased

function textsOf(state: ClosedState): { title: string; text: string } {
  switch (state.is) {
    case 'own':
      return words.own
    case 'not_for_sale':
      return words.notForSale
    case 'under_age':
      return words.underAge
    case 'joined':
      return words.joined
    case 'closed':
      return { title: words.notForSale.title, text: planWords.notOpen[state.state] }
    case 'past_due':
      return { title: words.pastDue.title, text: words.pastDue.text(nameOf(state.membership)) }
    case 'returning': {
      const { price, until } = state.returning
      return {
        title: words.returning.title,
        text: words.returning.text(yen(price), dateTime(Date.parse(until))),
      }
    }
    case 'changing': {
      const from = date(Date.parse(state.membership.paid_until))
      return { title: words.changing.title, text: words.changing.text(from) }
    }
    case 'cancelled': {
      const until = lastDay(state.membership.paid_until)
      return { title: words.cancelled.title, text: words.cancelled.text(until) }
    }
    case 'other_cancelled':
    case 'other_stopped': {
      const { title, text } = state.is === 'other_cancelled' ? words.otherCancelled : words.otherStopped
      return { title, text: text(nameOf(state.membership), lastDay(state.membership.paid_until)) }
    }
    default:
      return state satisfies never
  }
}

function actionOf({ creator }: PlanOrderReply, state: ClosedState): ReactNode {
  const className = buttonClass('quiet')
  const { is } = state
  if (is === 'returning')
    return (
      <Link to="/payment" search={{ card: state.returning.id }} replace className={buttonClass('seal')}>
        {words.returning.action}
      </Link>
    )
  if (is === 'own')
    return (
      <Link to="/plan" search={{}} replace className={className}>
        {words.toPlans}
      </Link>
    )
  if (is === 'not_for_sale' || is === 'under_age' || is === 'closed')
    return (
      <Link
        to="/profile/$id"
        params={{ id: creator.id }}
        search={{ type: 'plan' }}
        replace
        className={className}
      >
        {words.toCreator}
      </Link>
    )
  return (
    <Link to="/plan" search={{ tab: 'joined' }} replace className={className}>
      {planWords.toJoined}
    </Link>
  )
}
