// CaseList: cases in one state, by kind and order.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CaseOrder, caseOrders } from '#contract/moderation/case-states.ts'
import type { CaseRow } from '#contract/moderation/cases.ts'
import { ruleNames } from '#contract/moderation/names.ts'
import type { ReportKind } from '#contract/posts/reports.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { useMember } from '#src/domain/session/session.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { PersonFilter } from '#src/features/administration/people/person-filter.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { type CaseView, casesQuery } from './cases.ts'
import { holdText } from './hold-fact.tsx'
import { casesText as words } from './text.ts'

interface CaseListProps {
  view: CaseView
  open: string | undefined
  onView: (view: CaseView) => void
  failed: Failed
}

const kinds = ['post', 'comment', 'person', 'message'] as const satisfies readonly ReportKind[]

export function CaseList({ view, open, onView, failed }: CaseListProps) {
  return (
    <div className="pb-16">
      <Filters view={view} onView={onView} />
      <People view={view} onView={onView} />
      <Cases view={view} open={open} failed={failed} />
    </div>
  )
}

function Filters({ view, onView }: Pick<CaseListProps, 'view' | 'onView'>) {
  return (
    <div className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3">
      <Field label={words.kind}>
        <Select
          value={view.kind ?? ''}
          options={[
            { value: '', label: words.allKinds },
            ...kinds.map((value) => ({ value, label: words.kinds[value] })),
          ]}
          onChange={(event) => onView({ ...view, kind: kinds.find((it) => it === event.target.value) })}
        />
      </Field>
      {view.state !== 'decided' && (
        <Field label={words.order}>
          <Select
            value={view.order}
            options={caseOrders.map((value) => ({ value, label: words.orders[value] }))}
            onChange={(event) =>
              onView({
                ...view,
                order: caseOrders.find((it): it is CaseOrder => it === event.target.value) ?? view.order,
              })
            }
          />
        </Field>
      )}
    </div>
  )
}

/** The person of the address by whom the list is filtered. */
function People({ view, onView }: Pick<CaseListProps, 'view' | 'onView'>) {
  const chosen = (['about', 'by'] as const).filter((it) => view[it] !== undefined)
  if (chosen.length === 0) return null
  return (
    <div className="flex flex-col gap-3 border-b border-line px-4 py-3">
      {chosen.map((it) => (
        <PersonFilter
          key={it}
          label={words.filters[it]}
          chosen={view[it]}
          onChoose={(id) => onView({ ...view, [it]: id })}
        />
      ))}
    </div>
  )
}

function Cases({ view, open, failed }: Pick<CaseListProps, 'view' | 'open' | 'failed'>) {
  const pages = useInfiniteQuery(casesQuery(view))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const cases = pages.data.pages.flatMap((page) => page.cases)
  if (cases.length === 0)
    return <EmptyState drawing="letter" title={words.none[view.state]} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.title}>
        {cases.map((it) => (
          <Row key={it.id} it={it} view={view} isOpen={it.id === open} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function Row({ it, view, isOpen }: { it: CaseRow; view: CaseView; isOpen: boolean }) {
  const me = useMember()
  return (
    <li className="border-b border-line">
      <Link
        to="/admin/report"
        search={{ ...view, case: it.id }}
        data-case={it.id}
        aria-current={isOpen ? 'true' : undefined}
        className={cx('block px-4 py-3 hover:bg-sunk focus-visible:-outline-offset-2', isOpen && 'bg-sunk')}
      >
        <span className="flex items-start justify-between gap-2">
          <span className="min-w-0 truncate font-semibold">
            {words.kinds[it.kind]}・{it.owner?.name ?? words.ownerGone}
          </span>
          {it.reports > 0 && (
            <Badge look={it.reports > 2 ? 'care' : 'plain'}>{words.reports(it.reports)}</Badge>
          )}
        </span>
        {it.excerpt !== '' && <span className="mt-0.5 block truncate text-sm">{it.excerpt}</span>}
        <span className="mt-0.5 block text-sm text-soft">
          {[
            ...(it.hold?.state === 'open' ? [`${words.automatic}：${holdText(it.hold)}`] : []),
            ...it.reasons.map((reason) => ruleNames[reason]),
            ...(it.reasons.length === 0 && it.hold === null ? [words.byStaff] : []),
          ].join('、')}
        </span>
        <span className="mt-0.5 flex flex-wrap items-center justify-between gap-x-2 text-sm text-soft tabular-nums">
          {dateTime(Date.parse(it.since))}
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
