// Reports: who reported what and why; Owner: what is known of the reported person.
import { Link } from '@tanstack/react-router'
import type { CaseReport, CaseView } from '#contract/moderation/cases.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { casesText as words } from './text.ts'

const time = (at: string) => dateTime(Date.parse(at))

export function Reports({ found }: { found: CaseView }) {
  if (found.history.length === 0) return null
  return (
    <section aria-labelledby="reports">
      <h3 id="reports" className="mb-2 font-semibold">
        {words.history}
      </h3>
      <ul className="border-t border-line">
        {found.history.map((it) => (
          <Report key={it.id} it={it} />
        ))}
      </ul>
    </section>
  )
}

function Report({ it }: { it: CaseReport }) {
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-semibold">{ruleNames[it.reason]}</span>
        {it.is_decided && <Badge>{words.decidedReport}</Badge>}
      </p>
      {it.detail !== '' && (
        <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
          {it.detail}
        </p>
      )}
      <p className="mt-1 text-sm text-soft tabular-nums">
        {it.reporter ? (
          <Link to="/profile/$id" params={{ id: it.reporter.id }} className="underline underline-offset-4">
            {it.reporter.name}
          </Link>
        ) : it.inquiry ? (
          <Link
            to="/administration"
            search={{ show: 'requests', request: it.inquiry.id }}
            className="underline underline-offset-4"
          >
            {words.inquiry(it.inquiry.number)}
          </Link>
        ) : (
          words.reporterGone
        )}
        ・{time(it.created_at)}
      </p>
    </li>
  )
}

export function Owner({ found }: { found: CaseView }) {
  return (
    <section aria-labelledby="owner">
      <h3 id="owner" className="mb-2 font-semibold">
        {found.history.length === 0 ? words.author : words.owner}
      </h3>
      <ul className="mb-4 text-sm text-soft">
        <li>{words.about(found.counts.reports_about)}</li>
        <li>{words.by(found.counts.reports_by)}</li>
      </ul>
      <h4 className="mb-1 text-sm font-semibold">{words.earlier}</h4>
      {found.earlier.length === 0 ? (
        <p className="text-sm text-soft">{words.noEarlier}</p>
      ) : (
        <ul>
          {found.earlier.map((it) => (
            <li key={it.id} className="py-1">
              <Link
                to="/admin/report"
                search={{ state: 'decided', case: it.case_id }}
                className="inline-flex min-h-8 flex-wrap items-center gap-x-2 underline underline-offset-4"
              >
                {it.kinds.map((kind) => measureNames[kind]).join('・')}
                <span className="tabular-nums">{time(it.decided_at)}</span>
              </Link>
              {it.undone && <span className="ml-2 text-sm text-soft">{words.undone}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
