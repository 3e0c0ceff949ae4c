// DecisionCard: a decision about the viewer, its reason, and its appeal.
import { useState } from 'react'
import type { OwnDecision } from '#contract/moderation/decisions.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { AppealSheet } from './appeal-sheet.tsx'
import { decisionsText as words } from './decisions-text.ts'

interface DecisionCardProps {
  decision: OwnDecision
  /** Of the link in an email; undefined for the person's own session. */
  token?: string | undefined
  onAppealed?: (decision: OwnDecision) => void
}

const time = (at: string) => dateTime(Date.parse(at))

export function DecisionCard({ decision, token, onAppealed }: DecisionCardProps) {
  const [appealing, setAppealing] = useState(false)
  const { measures, appeal, excerpt, text } = decision
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {measures.map(({ kind, until, ended_at }) => (
          <li key={kind} className="flex items-center gap-2">
            <Badge look={ended_at === null ? 'care' : 'plain'}>{measureNames[kind]}</Badge>
            {until !== null && (
              <span className="text-sm text-soft tabular-nums">{words.until(time(until))}</span>
            )}
            {ended_at !== null && decision.undone_at === null && (
              <span className="text-sm text-soft">{words.ended}</span>
            )}
          </li>
        ))}
        {decision.undone_at !== null && (
          <li>
            <Badge look="good">{words.undone}</Badge>
          </li>
        )}
      </ul>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-sm text-soft">{words.target}</dt>
        <dd dir="auto" className="min-w-0 break-words">
          {excerpt === '' ? words.what[decision.kind] : `${words.what[decision.kind]}「${excerpt}」`}
        </dd>
        <dt className="text-sm text-soft">{words.rule}</dt>
        <dd>{ruleNames[decision.rule]}</dd>
      </dl>
      <p dir="auto" className="mt-3 break-words whitespace-pre-wrap">
        {text}
      </p>
      <p className="mt-2 text-sm text-soft tabular-nums">
        {words.decidedAt(date(Date.parse(decision.decided_at)))}
      </p>
      {appeal && <Appeal appeal={appeal} />}
      {decision.appeal_until !== null && (
        <div className="mt-4">
          <Button look="quiet" onClick={() => setAppealing(true)}>
            {words.appeal}
          </Button>
          <p className="mt-2 text-sm text-soft tabular-nums">
            {words.appealUntil(time(decision.appeal_until))}
          </p>
          {appealing && (
            <AppealSheet
              decisionId={decision.id}
              token={token}
              onClose={() => setAppealing(false)}
              onAppealed={onAppealed}
            />
          )}
        </div>
      )}
    </>
  )
}

function Appeal({ appeal }: { appeal: NonNullable<OwnDecision['appeal']> }) {
  return (
    <div className="mt-4 rounded-media border border-line px-4 py-3">
      <p className="mb-1 flex flex-wrap items-center gap-2">
        <span className="font-semibold">{words.yours}</span>
        <Badge look={appeal.state === 'granted' ? 'good' : 'plain'}>{words.states[appeal.state]}</Badge>
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {appeal.text}
      </p>
      {appeal.answer !== '' && (
        <div className="mt-3 border-t border-line pt-3">
          <p className="mb-1 font-semibold">{words.answer}</p>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {appeal.answer}
          </p>
        </div>
      )}
    </div>
  )
}
