// Balance: what the creator has, and how much of it can be paid out.
import type { SalesView } from '#contract/sales/sales.ts'
import { yen } from '#src/lib/format.ts'
import { Money } from '#src/ui/text/money.tsx'
import { monthName } from './sales.ts'
import { Section } from './section.tsx'
import { salesText } from './text.ts'

const words = salesText.balance

/** @param currentMonth the month that is not closed yet */
export function Balance({ balance, currentMonth }: { balance: SalesView['balance']; currentMonth: string }) {
  const { total, available } = balance
  const pending = total - available
  return (
    <Section title={words.title}>
      <p className="mt-1 text-2xl font-semibold">
        <Money amount={total} text={yen(total)} />
      </p>
      {total < 0 ? (
        <p className="mt-2 text-sm text-care-text">{words.negative}</p>
      ) : (
        <>
          <dl className="mt-3 grid grid-cols-2 gap-4">
            <Part name={words.available} amount={available} />
            <Part name={words.pending} amount={pending} />
          </dl>
          {pending > 0 && (
            <p className="mt-3 text-sm text-soft">{words.pendingHint(monthName(currentMonth))}</p>
          )}
        </>
      )}
    </Section>
  )
}

function Part({ name, amount }: { name: string; amount: number }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="text-lg font-semibold">
        <Money amount={amount} text={yen(amount)} />
      </dd>
    </div>
  )
}
