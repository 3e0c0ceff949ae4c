// StatementsPage: the creator's monthly statements, with the sum of each year.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { StatementView } from '#contract/sales/statements.ts'
import { yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { AmountRow, AmountRows } from './amount-rows.tsx'
import { monthName, statementsQuery } from './sales.ts'
import { Section } from './section.tsx'
import { statementText as words } from './text.ts'

export function StatementsPage() {
  const { statements } = useSuspenseQuery(statementsQuery).data
  if (statements.length === 0)
    return (
      <EmptyState
        drawing="letter"
        title={words.none}
        text={words.noneText}
        action={
          <Link to="/settings/sales-management" className={buttonClass('quiet')}>
            {words.toSales}
          </Link>
        }
      />
    )
  const years = Map.groupBy(statements, (it) => it.month.slice(0, 4))
  return (
    <div className="pb-16">
      {[...years].map(([year, of]) => (
        <Section key={year} title={words.year(year)}>
          <Year statements={of} />
        </Section>
      ))}
    </div>
  )
}

type Amount = 'plans' | 'posts' | 'refunds' | 'fee' | 'fee_tax' | 'net' | 'transfer_fee' | 'transfer_fee_tax'

function Year({ statements }: { statements: readonly StatementView[] }) {
  const sum = (...fields: Amount[]) =>
    statements.reduce((total, it) => total + fields.reduce((of, field) => of + it[field], 0), 0)
  return (
    <>
      <AmountRows>
        <AmountRow name={words.yearSales} amount={sum('plans', 'posts')} />
        <AmountRow name={words.yearRefunds} amount={-sum('refunds')} />
        <AmountRow name={words.yearFees} amount={-sum('fee', 'fee_tax')} />
        <AmountRow name={words.yearNet} amount={sum('net')} isSum />
        {/* Not a part of the sums above: they are taken from what is paid out. */}
        <AmountRow name={words.yearTransferFees} amount={-sum('transfer_fee')} />
        <AmountRow name={words.yearTax} amount={sum('fee_tax', 'transfer_fee_tax')} />
      </AmountRows>
      <p className="mt-2 text-sm text-soft">{words.yearHint}</p>
      <ul aria-label={words.list} className="mt-4 border-t border-line">
        {statements.map((it) => (
          <li key={it.id} className="border-b border-line">
            <Link
              to="/settings/sales-management/statement"
              search={{ id: it.id }}
              className="-mx-2 flex min-h-14 items-center gap-3 rounded-field px-2 py-2 hover:bg-sunk"
            >
              <span className="min-w-0 flex-1">
                <span className="block">{monthName(it.month)}</span>
                <span className="block text-sm text-soft tabular-nums">{it.number}</span>
              </span>
              <Money amount={it.net} text={yen(it.net)} />
              <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
