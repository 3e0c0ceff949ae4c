// PlansSection: what a creator's members can join.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PlanCard } from '#contract/plans/plans.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { planWords } from '#src/domain/plans/text.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { profileQuery } from './profiles.ts'

export function PlansSection({ id }: { id: string }) {
  const { plans } = useSuspenseQuery(profileQuery(id)).data
  const isOwn = useMember()?.id === id
  if (plans.length === 0) return null
  return (
    <section
      aria-labelledby="plans"
      id="plan-list"
      className="scroll-mt-14 border-b border-line px-4 py-4 rail:px-6"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id="plans" className="font-semibold">
          {words.plans}
        </h2>
        {isOwn && (
          <Link
            to="/plan"
            className="inline-flex min-h-11 items-center text-sm font-semibold underline underline-offset-4"
          >
            {words.managePlans}
          </Link>
        )}
      </div>
      <ul className="mt-2 flex flex-col gap-3">
        {plans.map((plan) => (
          <Plan key={plan.id} plan={plan} />
        ))}
      </ul>
      <p className="mt-2 text-sm text-soft">{words.plansSoon}</p>
    </section>
  )
}

function Plan({ plan }: { plan: PlanCard }) {
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
          <Money amount={plan.price} text={yen(plan.price)} note={planWords.perMonth} />
        </p>
        {plan.description !== '' && <Prose text={plan.description} className="mt-1 line-clamp-4 text-sm" />}
        {plan.state !== 'open' && (
          <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-soft">
            <Badge look={plan.state === 'closing' ? 'care' : 'plain'}>{planWords.states[plan.state]}</Badge>
            {planWords.notOpen[plan.state]}
          </p>
        )}
      </div>
    </li>
  )
}
