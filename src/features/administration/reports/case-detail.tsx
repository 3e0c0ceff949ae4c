// CaseDetail: one case with its content, reports and decisions, and the actions on it.
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useId, useState } from 'react'
import { type CaseView, leaveCase, takeCase } from '#contract/moderation/cases.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { AnswerSheet } from './answer-sheet.tsx'
import { CaseContent } from './case-content.tsx'
import { Decisions } from './case-decisions.tsx'
import { Owner, Reports } from './case-reports.tsx'
import { caseQuery, useCaseAction } from './cases.ts'
import { HoldFact } from './hold-fact.tsx'
import { DecideSheet } from './decide-sheet.tsx'
import { casesText as words } from './text.ts'
import { Undo } from './undo.tsx'

interface CaseDetailProps {
  id: string
  onClose: () => void
  onUnconfirmed: () => void
  failed: Failed
}

export function CaseDetail({ id, onClose, onUnconfirmed, failed }: CaseDetailProps) {
  const reading = useQuery(caseQuery(id))
  const back = (
    <button
      type="button"
      onClick={onClose}
      className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold"
    >
      <ChevronLeft aria-hidden size={20} />
      {words.back}
    </button>
  )
  if (reading.isPending) return <Waiting />
  if (!reading.data)
    return (
      <>
        {back}
        {isMissing(reading.error) ? (
          <EmptyState drawing="letter" title={words.missing} text="" />
        ) : (
          failed(reading.error, reading.refetch)
        )}
      </>
    )
  const found = reading.data.case
  return (
    <article aria-labelledby="case" className="pb-16">
      {back}
      <div className="flex flex-col gap-8 px-4 pt-3 rail:px-6">
        <header className="flex flex-wrap items-center gap-2">
          <h2 id="case" className="text-lg font-semibold">
            {words.kinds[found.kind]}・{found.owner?.name ?? words.ownerGone}
          </h2>
          <Badge look={found.state === 'decided' ? 'good' : 'care'}>{words.states[found.state]}</Badge>
        </header>
        <Actions found={found} onUnconfirmed={onUnconfirmed} />
        <HoldFact hold={found.hold} />
        <CaseContent found={found} onUnconfirmed={onUnconfirmed} />
        <Reports found={found} />
        <Owner found={found} />
        <Decisions found={found} />
      </div>
    </article>
  )
}

interface ActionsProps {
  found: CaseView
  onUnconfirmed: () => void
}

const time = (at: string) => dateTime(Date.parse(at))

function Actions({ found, onUnconfirmed }: ActionsProps) {
  const me = useMember()
  const { busy, perform } = useCaseAction(onUnconfirmed)
  const params = { params: { case_id: found.id } }
  const isOwn = found.taken !== null && found.taken.by.id === me?.id
  if (found.state === 'decided')
    return found.decisions.some((it) => it.undone === null) ? (
      <Undo caseId={found.id} words={words} onUnconfirmed={onUnconfirmed} />
    ) : null
  if (found.taken && !isOwn)
    return <p className="text-soft">{words.lockedBy(found.taken.by.name, time(found.taken.until))}</p>
  if (!found.taken)
    return (
      <div>
        <Button
          look="ink"
          data-key="t"
          busy={busy}
          busyLabel={text.working}
          onClick={() => void perform(takeCase, params, undefined, words.takenMeanwhile)}
        >
          {words.take}
        </Button>
      </div>
    )
  return (
    <Deciding
      found={found}
      until={found.taken.until}
      busy={busy}
      onLeave={() => void perform(leaveCase, params, undefined)}
      onUnconfirmed={onUnconfirmed}
    />
  )
}

interface DecidingProps extends ActionsProps {
  /** End of the lock. */
  until: string
  busy: boolean
  onLeave: () => void
}

/** Actions on a case that the viewer has taken. */
function Deciding({ found, until, busy, onLeave, onUnconfirmed }: DecidingProps) {
  const [sheet, setSheet] = useState<'decide' | 'answer'>()
  const wanting = useId()
  const action = found.state === 'open' ? 'decide' : 'answer'
  const isUnread = found.messages?.shown === false
  return (
    <div>
      <output className="mb-3 block text-soft empty:hidden">
        {isUnread && <span id={wanting}>{words.unread[action]}</span>}
      </output>
      <div className="flex flex-wrap gap-3">
        <Button
          look="seal"
          data-key="e"
          disabled={isUnread}
          aria-describedby={isUnread ? wanting : undefined}
          onClick={() => setSheet(action)}
        >
          {words[action]}
        </Button>
        <Button look="quiet" data-key="t" busy={busy} busyLabel={text.working} onClick={onLeave}>
          {words.leave}
        </Button>
      </div>
      <p className="mt-2 text-sm text-soft">{words.lockedUntil(time(until))}</p>
      {sheet === 'decide' && (
        <DecideSheet found={found} onClose={() => setSheet(undefined)} onUnconfirmed={onUnconfirmed} />
      )}
      {sheet === 'answer' && (
        <AnswerSheet caseId={found.id} onClose={() => setSheet(undefined)} onUnconfirmed={onUnconfirmed} />
      )}
    </div>
  )
}
