// DaysChart: the views of each day.
import type { DayNumbers } from '#contract/analytics/analytics.ts'
import { monthDay, number } from '#src/lib/format.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { momentOf, readersText } from './creator.ts'
import { creatorText as words } from './text.ts'

/** `11/3` */
const tickOf = (day: string) => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}`

export function DaysChart({ days }: { days: readonly DayNumbers[] }) {
  return (
    <section aria-labelledby="by-day" className="border-b border-line px-4 py-5 rail:px-6">
      <h2 id="by-day" className="pb-2 font-semibold">
        {words.byDay}
      </h2>
      <BarChart
        label={words.byDay}
        columns={[words.day, words.numbers.views]}
        axisText={number}
        tableLabel={words.table}
        bars={days.map((it) => ({
          name: monthDay(momentOf(it.day)),
          tick: tickOf(it.day),
          value: it.views.count,
          text: readersText(it.views),
        }))}
      />
      <p className="mt-2 text-sm text-soft">{words.delay}</p>
    </section>
  )
}
