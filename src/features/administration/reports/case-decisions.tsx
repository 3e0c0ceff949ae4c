// Decisions: what was decided about a case, by whom, and its appeal.
import type { CaseDecision, CaseView } from '#contract/moderation/cases.ts'
import type { MeasureView } from '#contract/moderation/decisions.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { Facts } from '#src/features/administration/facts.tsx'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { casesText as words } from './text.ts'

const time = (at: string) => dateTime(Date.parse(at))

const measureText = ({ kind, until }: MeasureView) =>
  until === null ? measureNames[kind] : `${measureNames[kind]}（${words.untilOf(time(until))}）`

export function Decisions({ found }: { found: CaseView }) {
  if (found.decisions.length === 0) return null
  return (
    <section aria-labelledby="decisions">
      <h3 id="decisions" className="mb-2 font-semibold">
        {words.decisions}
      </h3>
      <ol className="border-t border-line">
        {found.decisions.map((it) => (
          <Decision key={it.id} it={it} />
        ))}
      </ol>
    </section>
  )
}

function Decision({ it }: { it: CaseDecision }) {
  return (
    <li className="border-b border-line py-4">
      <p className="mb-2 flex flex-wrap items-center gap-2">
        <span className="font-semibold">
          {it.outcome === 'dismissed' ? words.dismissed : it.measures.map(measureText).join('・')}
        </span>
        {it.undone && <Badge>{words.undone}</Badge>}
      </p>
      <p className="mb-3 text-sm text-soft tabular-nums">
        {it.by?.name ?? words.someone}・{time(it.decided_at)}
        {it.undone && (
          <span className="block">
            {words.undoneAt(it.undone.by?.name ?? words.someone, time(it.undone.at))}
          </span>
        )}
      </p>
      <Facts
        facts={[
          ...(it.rule === null ? [] : [[words.rule, ruleNames[it.rule]] as const]),
          ...(it.text_to_person === ''
            ? []
            : [[words.toPerson, <Text key="p" of={it.text_to_person} />] as const]),
          ...(it.text_to_reporters === ''
            ? []
            : [[words.toReporters, <Text key="r" of={it.text_to_reporters} />] as const]),
          ...(it.note === '' ? [] : [[words.note, <Text key="n" of={it.note} />] as const]),
        ]}
      />
      {it.appeal && (
        <div className="mt-4 rounded-media border border-line px-4 py-3">
          <p className="mb-1 flex flex-wrap items-center gap-2 font-semibold">
            {words.appeal}
            <Badge look={it.appeal.state === 'open' ? 'care' : 'plain'}>
              {words.appealStates[it.appeal.state]}
            </Badge>
          </p>
          <Text of={it.appeal.text} />
          <p className="mt-1 text-sm text-soft tabular-nums">{time(it.appeal.sent_at)}</p>
          {it.appeal.answer !== '' && (
            <div className="mt-3 border-t border-line pt-3">
              <Text of={it.appeal.answer} />
            </div>
          )}
        </div>
      )}
    </li>
  )
}

const Text = ({ of }: { of: string }) => (
  <span dir="auto" className="block break-words whitespace-pre-wrap">
    {of}
  </span>
)
