// PlansSection: what a creator's members can join.
import { useSuspenseQuery } from '@tanstack/react-query'
import { yen } from '#src/lib/format.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Money } from '#src/ui/text/money.tsx'
import { profileQuery } from './profiles.ts'

export function PlansSection({ id }: { id: string }) {
  const { plans } = useSuspenseQuery(profileQuery(id)).data
  if (plans.length === 0) return null
  return (
    <section
      aria-labelledby="plans"
      id="plan-list"
      className="scroll-mt-14 border-b border-line px-4 py-4 rail:px-6"
    >
      <h2 id="plans" className="font-semibold">
        {words.plans}
      </h2>
      <ul className="mt-2 flex flex-col gap-2">
        {plans.map((plan) => (
          <li
            key={plan.id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-media border border-line bg-raised px-4 py-3"
          >
            <span className="font-semibold break-words">{plan.name}</span>
            <Money amount={plan.price} text={yen(plan.price)} note={words.perMonth} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-soft">{words.plansSoon}</p>
    </section>
  )
}
