// StatementPage: a monthly statement, which alone is printed.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import type { StatementView } from '#contract/sales/statements.ts'
import { date } from '#src/lib/format.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { AmountRow, AmountRows } from './amount-rows.tsx'
import { daysOf, monthName, statementQuery } from './sales.ts'
import { statementText as words } from './text.ts'

export function StatementPage({ id }: { id: string }) {
  const { statement, creator } = useSuspenseQuery(statementQuery(id)).data
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      <Paper statement={statement} creator={creator} />
      <div className="mt-4">
        <Button look="ink" wide icon={<Printer aria-hidden size={20} />} onClick={() => window.print()}>
          {words.print}
        </Button>
        <p className="mt-2 text-center text-sm text-soft">{words.printHint}</p>
      </div>
    </div>
  )
}

const dayText = (day: string) => date(Date.parse(`${day}T00:00:00+09:00`))

function Paper({ statement: it, creator }: { statement: StatementView; creator: string }) {
  const days = daysOf(it.month)
  const facts = [
    [words.number, it.number],
    [words.issuedAt, date(Date.parse(it.issued_at))],
    [words.period, words.periodOf(dayText(days[0] ?? ''), dayText(days.at(-1) ?? ''))],
  ] as const
  return (
    <article data-print aria-labelledby="statement" className="border border-edge bg-raised p-5 rail:p-8">
      <h2 id="statement" className="text-2xl font-semibold">
        {words.title}
      </h2>
      <p className="mt-6 border-b border-edge pb-1 text-lg break-words">{words.to(creator)}</p>
      <p className="mt-4">{words.lead(monthName(it.month))}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm tabular-nums">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      <Amounts statement={it} />
      {it.transfer_fee > 0 && <Invoice statement={it} />}
      <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name={words.issuer} value={it.issuer === '' ? words.operator : it.issuer} />
        {it.issuer_number !== '' && <Fact name={words.registration} value={it.issuer_number} />}
      </dl>
      {it.issuer_number === '' && <p className="mt-2 text-sm">{words.noRegistration}</p>}
    </article>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  )
}

function Amounts({ statement: it }: { statement: StatementView }) {
  const { rows } = words
  // Without one, the fees of sales alone are the invoice, as on statements of before.
  const hasTransferFee = it.transfer_fee > 0
  return (
    <AmountRows>
      <AmountRow name={rows.opening} amount={it.opening} />
      <AmountRow name={rows.plans} amount={it.plans} />
      <AmountRow name={rows.posts} amount={it.posts} />
      <AmountRow name={rows.refunds} amount={-it.refunds} />
      {hasTransferFee ? (
        <AmountRow name={rows.feeWithTax} amount={-(it.fee + it.fee_tax)} />
      ) : (
        <>
          <AmountRow name={rows.fee} amount={-it.fee} />
          <AmountRow name={rows.feeTax} amount={-it.fee_tax} />
        </>
      )}
      <AmountRow name={rows.net} amount={it.net} isSum />
      <AmountRow name={hasTransferFee ? rows.paidOutWithFees : rows.paidOut} amount={-it.paid_out} />
      <AmountRow name={rows.closing} amount={it.closing} isSum />
    </AmountRows>
  )
}

/** The fees that the statement is the invoice for, with their tax, which is rounded once. */
function Invoice({ statement: it }: { statement: StatementView }) {
  const { invoice } = words
  const fees = it.fee + it.fee_tax
  return (
    <section aria-labelledby="invoice" className="mt-6">
      <h3 id="invoice" className="font-semibold">
        {invoice.title}
      </h3>
      <p className="mt-1 text-sm text-soft">{invoice.lead}</p>
      <AmountRows>
        <AmountRow name={invoice.fee} amount={fees} />
        <AmountRow name={invoice.transferFee} amount={it.transfer_fee} />
        <AmountRow name={invoice.sum} amount={fees + it.transfer_fee} isSum />
        <AmountRow name={invoice.tax} amount={it.fee_tax + it.transfer_fee_tax} />
      </AmountRows>
    </section>
  )
}

/** Shown for a statement that does not exist for this person. */
export function UnknownStatement() {
  return (
    <EmptyState
      drawing="letter"
      title={words.unknown}
      text={words.unknownText}
      action={
        <Link to="/settings/sales-management/statements" replace className={buttonClass('quiet')}>
          {words.toList}
        </Link>
      }
    />
  )
}
