// OwnReports: the person's reports with their state.
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { listOwnReports, type ReportState, type ReportView } from '#contract/posts/reports.ts'
import { date } from '#src/lib/format.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import { reportText as words } from './text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'

export const ownReportsQuery = infiniteQueryOptions(pagesFor(listOwnReports, {}))

const looks = { open: 'plain', acted: 'good', dismissed: 'plain' } as const satisfies Record<
  ReportState,
  string
>

export function OwnReports() {
  const list = useSuspenseInfiniteQuery(ownReportsQuery)
  const reports = list.data.pages.flatMap((page) => page.reports)
  if (reports.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 pb-4 text-soft">{words.historyLead}</p>
      <ul className="border-t border-line">
        {reports.map((report) => (
          <Report key={report.id} report={report} />
        ))}
      </ul>
      <LoadMore {...loadMore(list, words.more)} />
    </div>
  )
}

const day = (at: string) => date(Date.parse(at))

function Report({ report }: { report: ReportView }) {
  const { state, decided_at, created_at } = report
  return (
    <li className="border-b border-line px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 flex-1 font-semibold break-words">
          {words.what[report.kind](report.owner_name)}
        </p>
        <Badge look={looks[state]}>{words.states[state]}</Badge>
      </div>
      <p className="text-sm text-soft">{words.reasons[report.reason].label}</p>
      {report.detail !== '' && (
        <p className="mt-1 text-sm break-words whitespace-pre-wrap">{report.detail}</p>
      )}
      {report.answer !== '' && (
        <p
          dir="auto"
          className="mt-2 rounded-media bg-sunk px-3 py-2 text-sm break-words whitespace-pre-wrap"
        >
          {report.answer}
        </p>
      )}
      <p className="mt-1 text-sm text-soft tabular-nums">
        {words.at(day(created_at))}
        {decided_at !== null && `・${words.decidedAt(day(decided_at))}`}
      </p>
    </li>
  )
}
