// EntriesPage: single sales and refunds, newest first, with filters.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { type SalesEntry } from '#contract/sales/sales.ts'
import { type SoldKind, soldKinds } from '#contract/sales/sold-kinds.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date, dateTime, isoDay, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { CsvLinks } from './csv-links.tsx'
import { entriesQuery, type EntryFilter, monthName, monthsBetween } from './sales.ts'
import { SalesSkeleton } from './sales-skeleton.tsx'
import { salesText } from './text.ts'

const words = salesText.entries

interface EntriesPageProps {
  filter: EntryFilter
  /** The first month that has entries; null without any. */
  first: string | null
  onFilter: (filter: EntryFilter) => void
  /** Renders why the list could not be read. */
  failed: (error: Error | null, retry: () => Promise<unknown>) => ReactNode
}

export function EntriesPage(props: EntriesPageProps) {
  const { filter } = props
  const list = useInfiniteQuery(entriesQuery(filter))
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="pb-16">
      <Filters {...props} readAt={list.dataUpdatedAt} />
      {list.isPending && <SalesSkeleton />}
      {list.isError && !list.data && props.failed(list.error, () => list.refetch())}
      {list.data && entries.length === 0 && (
        <EmptyState
          drawing="letter"
          title={words.none}
          text={words.noneText}
          action={
            <Button look="quiet" onClick={() => props.onFilter({})}>
              {words.clear}
            </Button>
          }
        />
      )}
      {entries.length > 0 && (
        <ul aria-label={words.list}>
          {entries.map((it) => (
            <Entry key={it.id} entry={it} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(list, words.more)} />
      {entries.length > 0 && <CsvLinks filter={filter} />}
    </div>
  )
}

/** @param readAt when the entries were read, ms since 1970; 0 before that */
function Filters({ filter, first, onFilter, readAt }: EntriesPageProps & { readAt: number }) {
  const [openedAt] = useState(() => Date.now())
  const current = isoDay(Math.max(openedAt, readAt)).slice(0, 7)
  const from = [first ?? current, filter.month ?? current].toSorted()[0] ?? current
  const months = monthsBetween(from, current).map((it) => ({ value: it, label: monthName(it) }))
  return (
    <search
      aria-label={words.filters}
      className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 rail:px-6"
    >
      <Field label={words.month} className="min-w-36 flex-1">
        <Select
          options={[{ value: '', label: words.anyMonth }, ...months]}
          value={filter.month ?? ''}
          onChange={({ target }) => onFilter({ ...filter, month: target.value || undefined, day: undefined })}
        />
      </Field>
      <Field label={words.kind} className="min-w-36 flex-1">
        <Select
          options={[
            { value: '', label: words.anyKind },
            ...soldKinds.map((it) => ({ value: it, label: salesText.kinds[it] })),
          ]}
          value={filter.kind ?? ''}
          onChange={({ target }) =>
            onFilter({ ...filter, kind: (target.value || undefined) as SoldKind | undefined })
          }
        />
      </Field>
      <Narrowed filter={filter} onClear={() => onFilter({ month: filter.month, kind: filter.kind })} />
    </search>
  )
}

/** Says which day or item is shown, and widens the list again. */
function Narrowed({ filter: { day, item }, onClear }: { filter: EntryFilter; onClear: () => void }) {
  if (day === undefined && item === undefined) return null
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-2">
      <p className="text-sm">
        {item === undefined ? words.ofDay(date(Date.parse(`${day}T00:00:00+09:00`))) : words.ofItem}
      </p>
      <Button look="quiet" size="small" onClick={onClear}>
        {words.clear}
      </Button>
    </div>
  )
}

function Entry({ entry: it }: { entry: SalesEntry }) {
  const kind = it.kind === null ? '' : salesText.kinds[it.kind]
  return (
    <li className="border-b border-line px-4 py-4 rail:px-6">
      <div className="flex items-start justify-between gap-3">
        <p className="line-clamp-2 min-w-0 flex-1 break-words">{it.item?.title || salesText.noItem}</p>
        <Badge look={it.net < 0 ? 'plain' : 'good'}>{words.causes[it.cause]}</Badge>
      </div>
      <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-lg font-semibold">
          <Money amount={it.amount} text={yen(it.amount)} />
        </span>
        <span className="text-sm">
          {words.net} <Money amount={it.net} text={yen(it.net)} />
        </span>
      </p>
      <p className="text-sm text-soft tabular-nums">{words.fee(yen(it.fee + it.fee_tax))}</p>
      <p className="text-sm text-soft tabular-nums">
        {kind}・{dateTime(Date.parse(it.at))}
      </p>
      {it.payment_id !== null && (
        <p className="text-xs break-all text-soft tabular-nums">{words.payment(it.payment_id)}</p>
      )}
    </li>
  )
}
