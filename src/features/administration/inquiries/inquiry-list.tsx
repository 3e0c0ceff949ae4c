// InquiryList: inquiries of one list, by kind, the earliest due first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InquiryRow } from '#contract/inquiries/admin-inquiries.ts'
import { inquiryNames, outcomeNames } from '#contract/inquiries/names.ts'
import { inquiryKinds } from '#contract/inquiries/states.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { useMember } from '#src/domain/session/session.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { date, relative } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { inquiriesQuery, type InquiriesView } from './inquiries.ts'
import { inquiriesText as words } from './text.ts'

interface InquiryListProps {
  view: InquiriesView
  open: string | undefined
  onView: (view: InquiriesView) => void
  failed: Failed
}

export function InquiryList({ view, open, onView, failed }: InquiryListProps) {
  return (
    <div className="pb-16">
      <div className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3">
        <Field label={words.kind}>
          <Select
            value={view.kind ?? ''}
            options={[
              { value: '', label: words.allKinds },
              ...inquiryKinds.map((value) => ({ value, label: inquiryNames[value] })),
            ]}
            onChange={(event) =>
              onView({ ...view, kind: inquiryKinds.find((it) => it === event.target.value) })
            }
          />
        </Field>
        {view.list !== 'decided' && (
          <Field label={words.due}>
            <Select
              value={view.late ? 'late' : ''}
              options={[
                { value: '', label: words.allDue },
                { value: 'late', label: words.lateOnly },
              ]}
              onChange={(event) => onView({ ...view, late: event.target.value === 'late' })}
            />
          </Field>
        )}
      </div>
      <Rows view={view} open={open} failed={failed} />
    </div>
  )
}

function Rows({ view, open, failed }: Omit<InquiryListProps, 'onView'>) {
  const pages = useInfiniteQuery(inquiriesQuery(view))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const rows = pages.data.pages.flatMap((page) => page.inquiries)
  if (rows.length === 0)
    return <EmptyState drawing="letter" title={words.none[view.list]} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.title}>
        {rows.map((it) => (
          <Row key={it.id} it={it} view={view} isOpen={it.id === open} now={pages.dataUpdatedAt} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

interface RowProps {
  it: InquiryRow
  view: InquiriesView
  isOpen: boolean
  /** When the list was read, ms. */
  now: number
}

function Row({ it, view: { list, kind, late }, isOpen, now }: RowProps) {
  const me = useMember()
  const isLate = it.state !== 'decided' && Date.parse(it.due_at) < now
  return (
    <li className="border-b border-line">
      <Link
        to="/administration"
        search={{ show: 'requests', list, kind, late: late ? '1' : undefined, request: it.id }}
        data-case={it.id}
        aria-current={isOpen ? 'true' : undefined}
        className={cx('block px-4 py-3 hover:bg-sunk focus-visible:-outline-offset-2', isOpen && 'bg-sunk')}
      >
        <span className="flex items-start justify-between gap-2">
          <span className="min-w-0 font-semibold">{inquiryNames[it.kind]}</span>
          {isLate && <Badge look="care">{words.late}</Badge>}
        </span>
        <span className="mt-0.5 block truncate text-sm">
          {it.name === '' ? words.erased : it.name}
          {it.excerpt !== '' && `・${it.excerpt}`}
        </span>
        <span className="mt-0.5 flex flex-wrap items-center justify-between gap-x-2 text-sm text-soft tabular-nums">
          <span>
            {it.outcome === null
              ? `${words.states[it.state]}・${words.dueOn(date(Date.parse(it.due_at)))}・${relative(Date.parse(it.received_at), now)}`
              : `${outcomeNames[it.outcome]}・${date(Date.parse(it.decided_at ?? it.due_at))}`}
          </span>
          {it.taken && (
            <Badge look="info">
              {it.taken.by.id === me?.id ? words.takenByYou : words.takenBy(it.taken.by.name)}
            </Badge>
          )}
        </span>
      </Link>
    </li>
  )
}
