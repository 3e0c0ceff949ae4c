// TransparencyPage: what was reported, claimed and decided, by quarter.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { inquiryNames, outcomeNames } from '#contract/inquiries/names.ts'
import { inquiryKinds, outcomesOf } from '#contract/inquiries/states.ts'
import { getTransparency, type PublicCount, type Quarter } from '#contract/inquiries/transparency.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { transparencyText as words } from './text.ts'

interface TransparencyPageProps {
  /** Shown when the numbers cannot be read. */
  failed: (error: Error, onRetry: () => Promise<unknown>) => ReactNode
}

export function TransparencyPage({ failed }: TransparencyPageProps) {
  const reading = useQuery({ ...queryFor(getTransparency, {}), staleTime: 60_000 })
  if (reading.isPending)
    return (
      <div className="mx-auto w-full max-w-180 px-4 pt-5 pb-16">
        <Skeleton className="h-60" />
      </div>
    )
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { quarters } = reading.data
  return (
    <div className="mx-auto w-full max-w-180 px-4 pt-5 pb-16">
      <p className="text-read">{words.lead}</p>
      <p className="mt-2 text-sm text-soft">{words.fewNote}</p>
      {quarters.length === 0 ? (
        <EmptyState drawing="frame" title={words.none} text={words.noneText} />
      ) : (
        quarters.map((it) => <QuarterSection key={it.name} quarter={it} />)
      )}
    </div>
  )
}

type Rows = readonly (readonly [name: string, value: string])[]

/** Names and counts of a group, in the order of the names. */
const rowsOf = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  counts: Readonly<Partial<Record<Name, PublicCount>>>,
): Rows => (Object.keys(names) as Name[]).map((name) => [names[name], words.few(counts[name] ?? 0)] as const)

function QuarterSection({ quarter: it }: { quarter: Quarter }) {
  const title = words.quarter(it.name)
  return (
    <section aria-label={title} className="mt-10">
      <h2 className="mb-4 text-lg font-semibold">{title}</h2>
      <div className="flex flex-col gap-8">
        <Table title={words.reports} rows={rowsOf(ruleNames, it.reports)} />
        <Table title={words.decisions} rows={rowsOf(words.decisionNames, it.decisions)} />
        <Table title={words.measures} rows={rowsOf(measureNames, it.measures)} />
        <Table title={words.holds} note={words.holdsNote} rows={rowsOf(words.holdNames, it.holds)} />
        <Table title={words.holdEnds} rows={rowsOf(words.holdEndNames, it.hold_ends)} />
        <Table title={words.appeals} rows={rowsOf(words.appealNames, it.appeals)} />
        <Table title={words.inquiries} rows={rowsOf(inquiryNames, it.inquiries)} />
        {inquiryKinds.map((kind) => (
          <Table
            key={kind}
            title={`${words.outcomes}：${inquiryNames[kind]}`}
            rows={[...outcomesOf[kind], 'withdrawn' as const].map((outcome) => [
              outcomeNames[outcome],
              words.few(it.outcomes[kind]?.[outcome] ?? 0),
            ])}
          />
        ))}
        {it.speed ? (
          <Table
            title={words.speed}
            rows={[
              [words.median, words.days(it.speed.median_days)],
              [words.p90, words.days(it.speed.p90_days)],
              [words.within, words.share(it.speed.within_due)],
            ]}
          />
        ) : (
          <p className="text-sm text-soft">
            {words.speed}：{words.noSpeed}
          </p>
        )}
        <Table
          title={words.others}
          rows={[
            [words.suspended, words.few(it.suspended)],
            [words.authorities, words.few(it.authorities)],
            [words.automatic, words.few(it.automatic)],
          ]}
        />
      </div>
    </section>
  )
}

function Table({ title, note, rows }: { title: string; note?: string; rows: Rows }) {
  return (
    <table className="w-full border-collapse">
      <caption className="mb-1 text-left font-semibold">
        {title}
        {note !== undefined && <span className="block text-sm font-normal text-soft">{note}</span>}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.count}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-2 pr-4 text-left font-normal break-words">
              {name}
            </th>
            <td className="w-28 py-2 text-right whitespace-nowrap tabular-nums">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
