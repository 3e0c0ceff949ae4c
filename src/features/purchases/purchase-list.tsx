// PurchaseList: what the person has bought, newest first, with filters.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { RETURNED_MS } from '#contract/payments/bought.ts'
import type { Purchase, PurchaseState } from '#contract/payments/history.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { Money } from '#src/ui/text/money.tsx'
import { periodText } from './period.ts'
import { PurchaseFilters } from './purchase-filters.tsx'
import { type HistoryFilter, historyQuery } from './purchases.ts'
import { PurchasesSkeleton } from './purchases-skeleton.tsx'
import { useRecordsOnly } from './records-only.ts'
import { SurplusList } from './surplus-list.tsx'
import { purchaseText as words } from './text.ts'

const looks = { paid: 'good', refunded: 'plain', disputed: 'care' } as const satisfies Record<
  PurchaseState,
  string
>

interface PurchaseListProps {
  filter: HistoryFilter
  onFilter: (filter: HistoryFilter) => void
  /** Renders why the list could not be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

export function PurchaseList(props: PurchaseListProps) {
  const { filter, onFilter } = props
  const isFiltered = filter.month !== undefined || filter.creator !== undefined
  const list = useInfiniteQuery(historyQuery(filter, useRecordsOnly()?.caller))
  const purchases = list.data?.pages.flatMap((page) => page.payments) ?? []
  // Without any purchase there is nothing to filter.
  if (list.data && purchases.length === 0 && !isFiltered)
    return (
      <>
        <SurplusList />
        <Nothing />
      </>
    )
  return (
    <div className="pb-16">
      {!isFiltered && <SurplusList />}
      <PurchaseFilters filter={filter} onChange={onFilter} />
      {list.isPending && <PurchasesSkeleton />}
      {list.isError && !list.data && props.failed(list.error, () => list.refetch())}
      {list.data && purchases.length === 0 && <NothingFound onClear={() => onFilter({})} />}
      {purchases.length > 0 && (
        <ul aria-label={words.list}>
          {purchases.map((it) => (
            <Row key={it.id} purchase={it} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}

function Nothing() {
  if (useRecordsOnly()) return <EmptyState drawing="letter" title={words.none} text="" />
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

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      drawing="letter"
      title={words.noneFiltered}
      text={words.noneFilteredText}
      action={
        <Button look="quiet" onClick={onClear}>
          {words.filters.clear}
        </Button>
      }
    />
  )
}

const day = (at: string) => date(Date.parse(at))

function Row({ purchase: it }: { purchase: Purchase }) {
  const recordsOnly = useRecordsOnly()
  const boughtOn = day(it.paid_at)
  const named = (shown: string) => words.ofPurchase(shown, it.creator.name, boughtOn)
  return (
    <li className="border-b border-line px-4 py-4 rail:px-6">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 flex-1 font-semibold break-words">{it.creator.name}</p>
        <Badge look={looks[it.state]}>{words.states[it.state]}</Badge>
      </div>
      {it.kind === 'post' && it.title !== undefined && <p className="break-words">{it.title}</p>}
      <p className="flex flex-wrap items-baseline gap-x-3">
        {it.kind === 'plan' && it.plan ? it.plan.name : words.kinds[it.kind]}
        <Money amount={it.amount} text={yen(it.amount)} note={words.taxIncluded} />
      </p>
      {it.kind === 'plan' && <p className="text-sm tabular-nums">{periodText(it.period)}</p>}
      <p className="text-sm text-soft tabular-nums">
        {it.kind === 'plan' ? words.paidAt(boughtOn) : words.boughtAt(boughtOn)}
        {it.refunded_at !== null && `・${words.refundedAt(day(it.refunded_at))}`}
        {isPartlyRefunded(it) && `・${words.partlyRefunded(yen(it.refunded_amount))}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {recordsOnly ? <span /> : <Links purchase={it} named={named} />}
        <Receipt id={it.id} name={named(words.receipt)} />
      </div>
    </li>
  )
}

/** Leads to what was bought, and to its seller. */
function Links({ purchase: it, named }: { purchase: Purchase; named: (shown: string) => string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Bought purchase={it} named={named} />
      <Link
        to="/profile/seller/$id"
        params={{ id: it.creator.id }}
        aria-label={named(words.law)}
        className={`${linkClass} text-sm`}
      >
        {words.law}
      </Link>
      <Link
        to="/chat-messages/$id"
        params={{ id: it.creator.id }}
        search={{}}
        aria-label={named(peopleText.message)}
        className={`${linkClass} text-sm`}
      >
        {peopleText.message}
      </Link>
    </div>
  )
}

function Receipt({ id, name }: { id: string; name: string }) {
  const look = { 'aria-label': name, className: buttonClass('quiet', 'small') }
  const recordsOnly = useRecordsOnly()
  if (recordsOnly)
    return (
      <Link {...recordsOnly.receipt(id)} {...look}>
        {words.receipt}
      </Link>
    )
  return (
    <Link to="/purchase-history/receipt" search={{ id }} {...look}>
      {words.receipt}
    </Link>
  )
}

const isPartlyRefunded = ({ amount, refunded_amount: refunded }: Purchase) =>
  refunded > 0 && refunded < amount

/** Leads to what was bought, or says that it cannot be opened. */
function Bought({ purchase: it, named }: { purchase: Purchase; named: (shown: string) => string }) {
  const [openedAt] = useState(() => Date.now())
  if (it.kind === 'plan')
    return (
      <Link
        to="/profile/$id"
        params={{ id: it.creator.id }}
        search={{ type: 'plan' }}
        aria-label={named(words.toCreator)}
        className={linkClass}
      >
        {words.toCreator}
      </Link>
    )
  if (it.post === null) {
    const isReturned = it.state === 'paid' && Date.parse(it.paid_at) > openedAt - RETURNED_MS
    return (
      <span className="text-sm text-soft">
        {words.gone}
        {isReturned && words.returned}
      </span>
    )
  }
  return (
    <Link to="/post/$id" params={{ id: it.post.id }} aria-label={named(words.toPost)} className={linkClass}>
      {words.toPost}
    </Link>
  )
}
