// SurplusList: charges that paid for nothing, and the return of their money.
import { useQuery } from '@tanstack/react-query'
import type { SurplusCharge } from '#contract/payments/surplus.ts'
import { date, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { surplusReasonText } from '#src/domain/text/surplus-text.ts'
import { useRecordsOnly } from './records-only.ts'
import { surplusQuery } from './purchases.ts'
import { purchaseText } from './text.ts'

const words = purchaseText.surplus

/** Nothing for almost everybody, and where it cannot be read. */
export function SurplusList() {
  const charges = useQuery(surplusQuery(useRecordsOnly()?.caller)).data?.charges ?? []
  if (charges.length === 0) return null
  return (
    <section aria-labelledby="surplus" className="border-b border-line px-4 py-4 rail:px-6">
      <h2 id="surplus" className="font-semibold">
        {words.title}
      </h2>
      <p className="mt-1 text-sm text-soft">{words.lead}</p>
      <ul className="mt-3 flex flex-col gap-4">
        {charges.map((it) => (
          <Row key={it.id} charge={it} />
        ))}
      </ul>
    </section>
  )
}

const day = (at: string) => date(Date.parse(at))

function Row({ charge: it }: { charge: SurplusCharge }) {
  const reason = surplusReasonText(it.reason)
  return (
    <li>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 flex-1 font-semibold break-words">{it.creator.name}</p>
        <Badge look={it.returned_at === null ? 'care' : 'plain'}>
          {it.returned_at === null ? words.returning : words.returned}
        </Badge>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        {purchaseText.kinds[it.kind]}
        <Money amount={it.amount} text={yen(it.amount)} note={purchaseText.taxIncluded} />
      </p>
      <p className="text-sm text-soft tabular-nums">
        {words.chargedAt(day(it.charged_at))}
        {it.returned_at !== null && `・${words.returnedAt(day(it.returned_at))}`}
        {reason !== '' && `・${reason}`}
      </p>
      <p className="text-xs break-all text-soft tabular-nums">{words.number(it.payment_id)}</p>
    </li>
  )
}
