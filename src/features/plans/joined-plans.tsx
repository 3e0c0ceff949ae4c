// JoinedPlans: the plans of which the person is a member, and those that have ended.
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EndedMembership } from '#contract/plans/members.ts'
import { joinedPlansQuery } from '#src/domain/plans/joined.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { JoinedPlanItem, PlanLine } from './joined-plan.tsx'
import { membershipText as words } from './membership-text.ts'

export function JoinedPlans() {
  const pages = useSuspenseInfiniteQuery(joinedPlansQuery)
  const plans = pages.data.pages.flatMap((page) => page.plans)
  const ended = pages.data.pages[0]?.ended ?? []
  return (
    <div className="pb-16">
      {plans.length === 0 && !pages.hasNextPage ? (
        <None />
      ) : (
        <ul aria-label={words.list}>
          {plans.map((plan) => (
            <JoinedPlanItem key={plan.id} plan={plan} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(pages, words.more)} />
      {ended.length > 0 && <Ended memberships={ended} />}
    </div>
  )
}

function None() {
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
}

function Ended({ memberships }: { memberships: readonly EndedMembership[] }) {
  return (
    <section aria-labelledby="ended-plans" className="mt-8">
      <h2 id="ended-plans" className="px-4 pb-1 text-sm font-semibold text-soft rail:px-6">
        {words.ended.title}
      </h2>
      <ul aria-labelledby="ended-plans" className="border-t border-line">
        {memberships.map((it) => (
          <EndedItem key={it.id} membership={it} />
        ))}
      </ul>
    </section>
  )
}

function EndedItem({
  membership: { id, creator, plan, ended_at: at, why, can_join: canJoin, return_until: until },
}: {
  membership: EndedMembership
}) {
  return (
    <PlanLine creator={creator} badge={<Badge>{words.states.ended}</Badge>}>
      <p className="break-words">{plan?.name ?? words.ended.erased}</p>
      <p className="text-sm text-soft tabular-nums">{words.ended.on(date(Date.parse(at)))}</p>
      <p className="mt-1 text-sm">{words.why[why]}</p>
      {until !== null && plan && (
        <>
          <p className="mt-1 text-sm">{words.ended.until(dateTime(Date.parse(until)))}</p>
          <Link
            to="/payment"
            search={{ card: id }}
            aria-label={words.ended.returnOf(plan.name)}
            className={`mt-2 ${buttonClass('ink', 'small')}`}
          >
            {words.ended.return}
          </Link>
        </>
      )}
      {until === null && canJoin && plan && (
        <Link
          to="/payment"
          search={{ plan: plan.id }}
          aria-label={words.ended.againOf(plan.name)}
          className={`mt-2 ${buttonClass('quiet', 'small')}`}
        >
          {words.ended.again}
        </Link>
      )}
    </PlanLine>
  )
}
