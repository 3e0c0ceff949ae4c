// PlansSection: what a creator's members can join.
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { joinedPlansQuery } from '#src/domain/plans/joined.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { PlanCardItem } from './plan-card.tsx'
import { profileQuery } from './profiles.ts'

export function PlansSection({ id }: { id: string }) {
  const { plans } = useSuspenseQuery(profileQuery(id)).data
  const isOwn = useMember()?.id === id
  const reading = useInfiniteQuery({ ...joinedPlansQuery, enabled: !isOwn && plans.length > 0 })
  // A failed read leads to the confirmation as well, which knows the membership.
  const pages = reading.data?.pages ?? (reading.isError ? [] : undefined)
  const joined = isOwn ? null : pages?.flatMap((page) => page.plans.filter((it) => it.creator.id === id))
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
          <PlanCardItem key={plan.id} plan={plan} joined={joined} />
        ))}
      </ul>
      <Link
        to="/profile/seller/$id"
        params={{ id }}
        className="mt-2 inline-flex min-h-11 items-center text-sm text-soft underline underline-offset-4"
      >
        {words.sellerLaw}
      </Link>
    </section>
  )
}
