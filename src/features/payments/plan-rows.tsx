// PlanRow, OpensRow: what a plan is and which posts it opens, in a confirmation.
import type { PlanCard, PlanView } from '#contract/plans/plans.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { planWords } from '#src/domain/plans/text.ts'
import { yen } from '#src/lib/format.ts'
import { Money } from '#src/ui/text/money.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { Row } from './order-frame.tsx'
import { planOrderText as words } from './plan-text.ts'
import { orderText } from './text.ts'

/** @param name the heading of the row */
export function PlanRow({ name, plan }: { name: string; plan: PlanCard }) {
  const picture = plan.picture?.sources.at(-1)
  return (
    <Row name={name}>
      <span className="font-semibold">{words.item(plan.name)}</span>
      {picture && (
        <span className="mt-2 block aspect-video w-full max-w-80 overflow-hidden rounded-field bg-sunk">
          <ShownPicture src={picture.src} alt="" />
        </span>
      )}
      {plan.description !== '' && <Prose text={plan.description} className="mt-1" />}
    </Row>
  )
}

export function OpensRow({ plan, opens }: { plan: PlanCard; opens: readonly PlanView[] }) {
  return (
    <Row name={words.rows.opens}>
      <ul className="list-disc pl-5">
        <li>{words.thisPlan}</li>
        {opens.map((it) => (
          <li key={it.id}>{words.cheaper(it.name)}</li>
        ))}
      </ul>
      <p className="mt-1">
        {plan.back_numbers === 'all' ? planWords.allBackNumbers : planWords.sinceJoining}
      </p>
    </Row>
  )
}

/** The monthly price, and what a year of it is, since it goes on until it is cancelled. */
export function MonthlyRow({ name, price }: { name: string; price: number }) {
  return (
    <Row name={name}>
      <span className="text-xl font-semibold">
        <Money amount={price} text={yen(price)} note={planWords.perMonth} />
      </span>
      <span className="block text-sm text-soft">
        {orderText.noFees}
        {words.year(yen(price * 12))}
      </span>
    </Row>
  )
}
