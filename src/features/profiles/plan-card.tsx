// PlanCardItem: a plan on its creator's profile, with the link to join it.
import { Link } from '@tanstack/react-router'
import type { JoinedPlan } from '#contract/plans/members.ts'
import type { PlanCard } from '#contract/plans/plans.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { lastDay, planWords as words } from '#src/domain/plans/text.ts'
import { yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { Prose } from '#src/ui/text/prose.tsx'

export interface PlanCardProps {
  plan: PlanCard
  /** The viewer's memberships of the creator's plans; undefined while they are read, null for the creator. */
  joined: readonly JoinedPlan[] | null | undefined
}

export function PlanCardItem({ plan, joined }: PlanCardProps) {
  const picture = plan.picture?.sources.at(-1)
  return (
    <li className="overflow-hidden rounded-media border border-line bg-raised">
      {picture && (
        <div className="aspect-video w-full bg-sunk">
          <ShownPicture src={picture.src} alt="" />
        </div>
      )}
      <div className="px-4 py-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold break-words">{plan.name}</span>
          <Money amount={plan.price} text={yen(plan.price)} note={words.perMonth} />
        </p>
        {plan.description !== '' && <Prose text={plan.description} className="mt-1 line-clamp-4 text-sm" />}
        {plan.state !== 'open' && (
          <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-soft">
            <Badge look={plan.state === 'closing' ? 'care' : 'plain'}>{words.states[plan.state]}</Badge>
            {plan.ends_at !== null && words.endsOn(plan.ends_at)}
            {words.notOpen[plan.state]}
          </p>
        )}
        <Joining plan={plan} joined={joined} />
      </div>
    </li>
  )
}

/** Whether the viewer has joined the plan, or the link that leads to it. */
function Joining({ plan, joined }: PlanCardProps) {
  if (joined === null) return null
  // Room for the button, so that nothing below it moves.
  if (joined === undefined) return plan.state === 'open' && <div className="mt-3 h-11" />
  const own = joined.find((it) => it.id === plan.id)
  if (own) return <Joined joined={own} />
  if (plan.state !== 'open') return null
  const isChange = joined.some((it) => it.membership !== null)
  return (
    <Link
      to="/payment"
      search={{ plan: plan.id }}
      aria-label={isChange ? words.changeTo(plan.name) : words.joinOf(plan.name)}
      className={`mt-3 ${buttonClass(isChange ? 'quiet' : 'ink', 'normal', true)}`}
    >
      {isChange ? words.change : words.join}
    </Link>
  )
}

function Joined({ joined }: { joined: JoinedPlan }) {
  return (
    <p className="mt-3 flex min-h-11 flex-wrap items-center justify-between gap-x-3 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        {joined.ends_at === null ? (
          <Badge look="good">{words.joined}</Badge>
        ) : (
          <>
            <Badge>{words.cancelled}</Badge>
            {words.openUntil(lastDay(joined.ends_at))}
          </>
        )}
      </span>
      <Link
        to="/plan"
        search={{ tab: 'joined' }}
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        {words.toJoined}
      </Link>
    </p>
  )
}
