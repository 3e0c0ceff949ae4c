// JoinedPlans: the plans of which the person is a member.
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { JoinedPlan } from '#contract/plans/members.ts'
import { lastDay, planWords } from '#src/domain/plans/text.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date, yen } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { joinedPlansQuery } from './plans.ts'
import { planText } from './text.ts'

const words = planText.joined

export function JoinedPlans() {
  const pages = useSuspenseInfiniteQuery(joinedPlansQuery)
  const plans = pages.data.pages.flatMap((page) => page.plans)
  if (plans.length === 0 && !pages.hasNextPage)
    return (
      <EmptyState
        drawing="letter"
        title={words.none}
        text={words.noneText}
        action={
          <Link to="/search" className={buttonClass('quiet')}>
            {words.find}
          </Link>
        }
      />
    )
  return (
    <div className="pb-16">
      <ul>
        {plans.map((plan) => (
          <Joined key={plan.id} plan={plan} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </div>
  )
}

function Joined({ plan }: { plan: JoinedPlan }) {
  const { creator } = plan
  return (
    <li className="relative flex min-h-20 items-start gap-3 border-b border-line px-4 py-3 hover:bg-sunk rail:px-6">
      <Avatar name={creator.name} src={creator.avatar_url} size={48} />
      <div className="min-w-0 flex-1">
        <Link
          to="/profile/$id"
          params={{ id: creator.id }}
          search={{ type: 'plan' }}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {creator.name}
        </Link>
        <p className="flex flex-wrap items-baseline gap-x-3 break-words">
          {plan.name}
          <Money amount={plan.price} text={yen(plan.price)} note={planWords.perMonth} />
        </p>
        <p className="text-sm text-soft tabular-nums">
          {words.since(date(Date.parse(plan.joined_at)))}
          {plan.ends_at !== null && `・${words.until(lastDay(plan.ends_at))}`}
        </p>
      </div>
    </li>
  )
}
