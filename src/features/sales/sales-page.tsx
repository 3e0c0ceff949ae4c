// SalesPage: balance, and the sales of a month with charts.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Banknote, ChartColumn, FileText, Landmark, List, Store } from 'lucide-react'
import type { SalesView } from '#contract/sales/sales.ts'
import { useMember } from '#src/domain/session/session.ts'
import { date, isoDay, monthDay, number, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { Row, Rows } from '#src/ui/rows.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { AmountRow, AmountRows } from './amount-rows.tsx'
import { Balance } from './balance.tsx'
import { CsvLinks } from './csv-links.tsx'
import { Members } from './members.tsx'
import { MonthPicker } from './month-picker.tsx'
import { daysOf, monthName, salesQuery } from './sales.ts'
import { Section } from './section.tsx'
import { SoldItems } from './sold-items.tsx'
import { salesText as words } from './text.ts'

interface SalesPageProps {
  /** `YYYY-MM`; undefined for the current one. */
  month: string | undefined
  onMonth: (month: string) => void
}

export function SalesPage({ month, onMonth }: SalesPageProps) {
  const { data: sales, dataUpdatedAt: readAt } = useSuspenseQuery(salesQuery(month))
  // Follows each reading, since a month may end while the page is open.
  const current = month === undefined ? sales.month : isoDay(readAt).slice(0, 7)
  const { first_month: first } = sales
  if (first === null) return <NothingSold />
  return (
    <div className="pb-16">
      <Balance balance={sales.balance} currentMonth={current} />
      <div className="border-t border-line">
        <MonthPicker month={sales.month} first={first} last={current} onChange={onMonth} />
        <Figures sales={sales} />
      </div>
      <Section title={words.charts.days}>
        <DayChart sales={sales} />
      </Section>
      <SoldItems items={sales.items} month={sales.month} />
      <Members members={sales.members} isOpen={sales.month === current} />
      <Section title={words.charts.months}>
        <MonthChart sales={sales} />
      </Section>
      <MoreRows />
      <CsvLinks filter={{ month: sales.month }} />
    </div>
  )
}

/** The pages about sales, and those that the law and the bank need. */
function MoreRows() {
  return (
    <Rows label={words.rows.label}>
      <Row
        to="/settings/sales-management/entries"
        title={words.rows.entries}
        hint={words.rows.entriesHint}
        icon={<List aria-hidden size={20} />}
      />
      <Row
        to="/settings/sales-management/payouts"
        title={words.rows.payouts}
        hint={words.rows.payoutsHint}
        icon={<Banknote aria-hidden size={20} />}
      />
      <Row
        to="/settings/sales-management/statements"
        title={words.rows.statements}
        hint={words.rows.statementsHint}
        icon={<FileText aria-hidden size={20} />}
      />
      <Row
        to="/settings/bank-account"
        title={words.rows.account}
        hint={words.rows.accountHint}
        icon={<Landmark aria-hidden size={20} />}
      />
      <Row
        to="/settings/seller"
        title={words.rows.seller}
        hint={words.rows.sellerHint}
        icon={<Store aria-hidden size={20} />}
      />
      <Row
        to="/creator"
        title={words.rows.creator}
        hint={words.rows.creatorHint}
        icon={<ChartColumn aria-hidden size={20} />}
      />
    </Rows>
  )
}

function NothingSold() {
  const mayCreate = useMember()?.identified === true
  return (
    <div className="pb-16">
      <EmptyState
        drawing="letter"
        title={words.none}
        text={mayCreate ? words.noneText : `${words.noneText}${words.needsIdentity}`}
        action={
          mayCreate ? (
            <Link to="/plan/add" className={buttonClass('seal')}>
              {words.toPlan}
            </Link>
          ) : (
            <Link to="/user/verification" className={buttonClass('ink')}>
              {words.toIdentity}
            </Link>
          )
        }
      />
    </div>
  )
}

function Figures({ sales: { month, figures: it, fee_rate: rate } }: { sales: SalesView }) {
  const names = words.figures
  return (
    <section aria-labelledby="figures" className="px-4 py-6 rail:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="figures" className="font-semibold">
          {names.title(monthName(month))}
        </h2>
        <p className="text-sm text-soft tabular-nums">{names.count(it.sold, it.refunded)}</p>
      </div>
      <AmountRows>
        <AmountRow name={names.plans} amount={it.plans} />
        <AmountRow name={names.posts} amount={it.posts} />
        <AmountRow name={names.refunds} amount={-it.refunds} />
        <AmountRow name={names.fee} amount={-it.fee} />
        <AmountRow name={names.feeTax} amount={-it.fee_tax} />
        <AmountRow name={names.net} amount={it.net} isSum />
        {it.paid_out > 0 && <AmountRow name={names.paidOut} amount={it.paid_out} />}
        {it.transfer_fee > 0 && <AmountRow name={names.transferFee} amount={it.transfer_fee} />}
      </AmountRows>
      {rate && <FeeRate rate={rate} />}
    </section>
  )
}

function FeeRate({ rate: { current, next } }: { rate: NonNullable<SalesView['fee_rate']> }) {
  const names = words.figures
  return (
    <p className="mt-3 text-sm text-soft tabular-nums">
      {names.rate(current)}
      {next && names.nextRate(date(Date.parse(`${next.first_day}T00:00:00+09:00`)), next.rate)}
    </p>
  )
}

const axisText = (value: number) => number(value)

function DayChart({ sales }: { sales: SalesView }) {
  const sold = new Map(sales.days.map((it) => [it.day, it.sales]))
  const bars = daysOf(sales.month).map((day) => {
    const value = sold.get(day) ?? 0
    return {
      name: monthDay(Date.parse(`${day}T00:00:00+09:00`)),
      tick: String(Number(day.slice(8))),
      value,
      text: yen(value),
    }
  })
  const { columns, table: tableLabel } = words.charts
  return (
    <BarChart
      label={words.charts.daysOf(monthName(sales.month))}
      bars={bars}
      columns={[columns.day, columns.sales]}
      axisText={axisText}
      tableLabel={tableLabel}
    />
  )
}

function MonthChart({ sales }: { sales: SalesView }) {
  const bars = sales.months.map(({ month, sales: value }) => ({
    name: monthName(month),
    tick: words.shortMonth(Number(month.slice(5))),
    value,
    text: yen(value),
  }))
  const { columns, months: label, table: tableLabel } = words.charts
  return (
    <BarChart
      label={label}
      bars={bars}
      columns={[columns.month, columns.sales]}
      axisText={axisText}
      tableLabel={tableLabel}
    />
  )
}
