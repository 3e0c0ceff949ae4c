// HoldFact: why a rule of the server held the content of a case.
import type { CaseRow } from '#contract/moderation/cases.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { casesText as words } from './text.ts'

type Hold = NonNullable<CaseRow['hold']>

export function holdText({ reason, word, distance }: Hold): string {
  if (reason === 'word') return words.holdReasons.word(word)
  return reason === 'media' ? words.holdReasons.media(distance) : words.holdReasons[reason]
}

export function HoldFact({ hold }: { hold: CaseRow['hold'] }) {
  if (!hold) return null
  return (
    <section aria-labelledby="hold">
      <h3 id="hold" className="mb-2 flex flex-wrap items-center gap-2 font-semibold">
        {words.hold}
        <Badge look={hold.state === 'open' ? 'care' : 'plain'}>{words.holdStates[hold.state]}</Badge>
      </h3>
      <p>{holdText(hold)}</p>
      <p className="text-sm text-soft tabular-nums">{dateTime(Date.parse(hold.since))}</p>
    </section>
  )
}
