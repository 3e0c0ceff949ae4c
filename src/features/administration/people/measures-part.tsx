// MeasuresPart: what was decided about a person, and the acts to decide and to undo.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import type { CaseRow } from '#contract/moderation/cases.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import type { PersonDecision } from '#contract/moderation/person-cases.ts'
import type { PersonPage } from '#contract/administration/people.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Undo } from '#src/features/administration/reports/undo.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { measuresText as words } from './measures-text.ts'
import { personCasesQuery } from './people.ts'
import type { OpenedCases } from './use-opened-case.ts'

interface MeasuresPartProps {
  person: PersonPage
  role: Role
  opened: OpenedCases
  /** The button that begins. */
  act: Ref<HTMLButtonElement>
  onUnconfirmed: () => void
  failed: Failed
}

const time = (at: string) => dateTime(Date.parse(at))

export function MeasuresPart({ person, role, opened, act, onUnconfirmed, failed }: MeasuresPartProps) {
  const reading = useQuery(personCasesQuery(person.id))
  return (
    <section aria-labelledby="measures" className="px-4 pt-8">
      <h3 id="measures" className="pb-1 font-semibold">
        {words.title}
      </h3>
      <p className="pb-3 text-sm text-soft">{words.lead}</p>
      {reading.isPending ? (
        <Waiting />
      ) : reading.data ? (
        <>
          <Act person={person} role={role} opened={opened} act={act} own={reading.data.case} />
          <Decisions decisions={reading.data.decisions} onUnconfirmed={onUnconfirmed} />
        </>
      ) : (
        failed(reading.error, reading.refetch)
      )}
    </section>
  )
}

interface ActProps extends Pick<MeasuresPartProps, 'person' | 'role' | 'opened' | 'act'> {
  /** The person's own case; null without one. */
  own: CaseRow | null
}

function Act({ person, role, opened, act, own }: ActProps) {
  const me = useMember()
  if (role !== 'admin' && person.role !== 'member') return <p className="text-soft">{words.forbidden}</p>
  const taken = own?.taken?.by.id === me?.id ? null : own?.taken
  const stop = taken
    ? words.lockedBy(taken.by.name, time(taken.until))
    : own?.state === 'appealed'
      ? words.appealed
      : undefined
  return (
    <>
      {own && (own.reports > 0 || stop !== undefined) && (
        <p className="flex flex-wrap gap-x-3 pb-3">
          <span>{stop ?? words.open(own.reports)}</span>
          <Link to="/admin/report" search={{ state: own.state, case: own.id }} className={linkClass}>
            {words.toCase}
          </Link>
        </p>
      )}
      <Button
        look="seal"
        ref={act}
        disabled={stop !== undefined}
        busy={opened.opening === person.id}
        busyLabel={text.working}
        onClick={() => void opened.begin('person', person.id)}
      >
        {words.act}
      </Button>
    </>
  )
}

function Decisions({
  decisions,
  onUnconfirmed,
}: {
  decisions: readonly PersonDecision[]
  onUnconfirmed: () => void
}) {
  if (decisions.length === 0) return <p className="pt-4 text-sm text-soft">{words.none}</p>
  return (
    <ul aria-label={words.list} className="mt-5 border-t border-line">
      {decisions.map((it) => (
        <Decision key={it.id} it={it} onUnconfirmed={onUnconfirmed} />
      ))}
    </ul>
  )
}

/** A warning has no end: it is said, and counts until it is undone. */
const stateOf = ({ undone, measures }: PersonDecision): keyof typeof words.states =>
  undone ? 'undone' : measures.some((it) => it.ended_at === null) ? 'active' : 'over'

function Decision({ it, onUnconfirmed }: { it: PersonDecision; onUnconfirmed: () => void }) {
  const state = stateOf(it)
  const what = it.measures
    .map(({ kind, until }) =>
      until === null ? measureNames[kind] : `${measureNames[kind]}（${words.untilOf(time(until))}）`,
    )
    .join('・')
  return (
    <li className="flex flex-wrap items-start gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <Link to="/admin/report" search={{ state: 'decided', case: it.case_id }} className={linkClass}>
            {words.about[it.kind]}・{what}
          </Link>
          <Badge look={state === 'active' ? 'care' : 'plain'}>{words.states[state]}</Badge>
          {it.appeal && (
            <Badge look={it.appeal.state === 'open' ? 'care' : 'plain'}>
              {words.appeals[it.appeal.state]}
            </Badge>
          )}
        </p>
        {it.excerpt !== '' && <p className="truncate text-sm">{it.excerpt}</p>}
        <p className="text-sm text-soft tabular-nums">
          {it.rule && `${ruleNames[it.rule]}・`}
          {words.by(it.by?.name ?? words.someone, time(it.decided_at))}
        </p>
        {it.note !== '' && (
          <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
            {words.note(it.note)}
          </p>
        )}
      </div>
      {state === 'active' && (
        <Undo
          caseId={it.case_id}
          decisionId={it.id}
          words={words}
          label={words.undoOf(what)}
          size="small"
          onUnconfirmed={onUnconfirmed}
        />
      )}
    </li>
  )
}
