// PeriodChoice: the period of the numbers, and its first and last day.
import { type DayNumbers, type Period, periods } from '#contract/analytics/analytics.ts'
import { monthDay } from '#src/lib/format.ts'
import { Chips } from '#src/ui/fields/chips.tsx'
import { momentOf } from './creator.ts'
import { creatorText as words } from './text.ts'

interface PeriodChoiceProps {
  period: Period
  days: readonly DayNumbers[]
  onChange: (period: Period) => void
}

export function PeriodChoice({ period, days, onChange }: PeriodChoiceProps) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div className="px-4 pt-5 pb-4 rail:px-6">
      <Chips
        label={words.periods}
        value={`${period}`}
        onChange={(value) => onChange(Number(value) as Period)}
        chips={periods.map((it) => ({ value: `${it}` as const, label: words.period(it) }))}
      />
      {first && last && (
        <p className="mt-2 text-sm text-soft tabular-nums">
          {words.range(monthDay(momentOf(first.day)), monthDay(momentOf(last.day)))}
        </p>
      )}
    </div>
  )
}
