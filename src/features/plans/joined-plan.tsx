// JoinedPlanItem: one joined plan, its payments, and what its member can do.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MembershipView } from '#contract/memberships/memberships.ts'
import type { JoinedPlan } from '#contract/plans/members.ts'
import { lastDay, planWords } from '#src/domain/plans/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { MembershipActions } from './membership-actions.tsx'
import { membershipText as words } from './membership-text.ts'

interface PlanLineProps {
  creator: JoinedPlan['creator']
  badge: ReactNode
  children: ReactNode
}

/** A plan in a list: the creator, who leads to the plan's posts, and what is said about it. */
export function PlanLine({ creator, badge, children }: PlanLineProps) {
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-4 rail:px-6">
      <Avatar name={creator.name} src={creator.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <Link
            to="/profile/$id"
            params={{ id: creator.id }}
            search={{ type: 'plan' }}
            className="relative min-w-0 font-semibold break-words before:absolute before:-inset-x-2 before:-inset-y-3 hover:underline"
          >
            {creator.name}
          </Link>
          {badge}
        </div>
        {children}
      </div>
    </li>
  )
}

export function JoinedPlanItem({ plan }: { plan: JoinedPlan }) {
  const { membership } = plan
  const price = membership?.price ?? plan.price
  return (
    <PlanLine creator={plan.creator} badge={<StateBadge plan={plan} />}>
      <p className="flex flex-wrap items-baseline gap-x-3 break-words">
        {plan.name}
        {/* A plan that was given costs nothing. */}
        {membership && <Money amount={price} text={yen(price)} note={planWords.perMonth} />}
      </p>
      <p className="text-sm text-soft tabular-nums">{words.since(date(Date.parse(plan.joined_at)))}</p>
      {plan.ends_at !== null && (
        <p className="mt-1 text-sm font-semibold tabular-nums">{words.until(lastDay(plan.ends_at))}</p>
      )}
      {membership && (
        <>
          <Payments membership={membership} planId={plan.id} />
          <MembershipActions plan={plan} membership={membership} />
        </>
      )}
    </PlanLine>
  )
}

function StateBadge({ plan: { membership, ends_at: endsAt } }: { plan: JoinedPlan }) {
  const states = words.states
  if (!membership)
    return (
      <Badge look={endsAt === null ? 'good' : 'plain'}>
        {endsAt === null ? states.active : states.stopping}
      </Badge>
    )
  switch (membership.state) {
    case 'active':
      return <Badge look="good">{states.active}</Badge>
    case 'past_due':
      return <Badge look="care">{states.past_due}</Badge>
    case 'cancelling':
      return <Badge>{membership.why === 'cancelled' ? states.cancelling : states.stopping}</Badge>
    case 'ended':
      return <Badge>{states.ended}</Badge>
    default:
      return membership.state satisfies never
  }
}

/** @param month `YYYY-MM` */
function monthName(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return `${year}年${number}月`
}

/** When it is charged next, and what is different from then on. */
function Payments({ membership, planId }: { membership: MembershipView; planId: string }) {
  const {
    state,
    next,
    next_charge_at: charge,
    offered_price: offered,
    why,
    card_expires: expires,
  } = membership
  const from = date(Date.parse(membership.paid_until))
  return (
    <div className="text-sm [&>p]:mt-1">
      {charge !== null && <p className="text-soft tabular-nums">{words.next(date(Date.parse(charge)))}</p>}
      {state === 'past_due' && (
        <>
          <p>{words.pastDue}</p>
          {membership.card !== null && <p>{words.payNow}</p>}
        </>
      )}
      {state === 'cancelling' && why !== null && why !== 'cancelled' && (
        <p>
          {words.stopping[why]}
          {membership.can_resume && words.goOn.hint}
        </p>
      )}
      {next &&
        (next.id === planId ? (
          <p>{words.change.price(from, yen(next.price))}</p>
        ) : (
          <p>{words.change.plan(from, next.name, yen(next.price))}</p>
        ))}
      {offered !== null && <p>{words.offer.text(yen(offered))}</p>}
      {expires !== null && membership.card !== null && (
        <p className="text-care-text">{words.card.expires(monthName(expires))}</p>
      )}
      {membership.is_processing && <p className="text-soft">{words.processing}</p>}
    </div>
  )
}
