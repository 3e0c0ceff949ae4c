// BarChart: one bar for each day or month, and the same numbers as a table.
import { ChevronDown } from 'lucide-react'
import { axisEnd, tickedBars } from './scale.ts'

export interface Bar {
  /** What the bar is of, in the table: `11月3日`. Unique in its chart. */
  readonly name: string
  /** The short form below the axis: `11/3`. */
  readonly tick: string
  /** The height, 0 or more. */
  readonly value: number
  /** The value in the table: `1,200円`, `5未満`. */
  readonly text: string
}

interface BarChartProps {
  /** What the numbers are; the caption of the table. */
  label: string
  /** In the order of time. */
  bars: readonly Bar[]
  /** The headings of the table's two columns. */
  columns: readonly [name: string, value: string]
  /** Formats the numbers beside the axis. */
  axisText: (value: number) => string
  /** Opens the table. */
  tableLabel: string
}

// No chart library: bars of one colour need no code, and screen readers use the table.
export function BarChart({ label, bars, columns, axisText, tableLabel }: BarChartProps) {
  const end = axisEnd(bars.map((it) => it.value))
  return (
    <figure>
      <div aria-hidden className="grid grid-cols-[1fr_auto] gap-x-2 pt-2 text-xs text-soft tabular-nums">
        <Bars bars={bars} end={end} />
        <div className="-my-2 flex flex-col justify-between text-right">
          {[end, end / 2, 0].map((it) => (
            <span key={it}>{axisText(it)}</span>
          ))}
        </div>
        <Ticks bars={bars} />
      </div>
      <details className="group mt-2">
        <summary className="-mx-2 inline-flex min-h-11 cursor-pointer list-none items-center gap-1 rounded-field px-2 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
          {tableLabel}
          <ChevronDown aria-hidden size={16} className="transition-[rotate] group-open:rotate-180" />
        </summary>
        <Numbers label={label} bars={bars} columns={columns} />
      </details>
    </figure>
  )
}

function Bars({ bars, end }: { bars: readonly Bar[]; end: number }) {
  const width = Math.max(1, bars.length)
  return (
    <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" className="h-40 w-full overflow-visible">
      {[0, 50, 100].map((y) => (
        <line
          key={y}
          x1={0}
          x2={width}
          y1={y}
          y2={y}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
          className={y === 100 ? 'stroke-edge' : 'stroke-line'}
        />
      ))}
      {bars.map((it, i) => {
        const height = (it.value / end) * 100
        return (
          <rect key={it.name} x={i + 0.15} y={100 - height} width={0.7} height={height} className="fill-ink">
            <title>{`${it.name} ${it.text}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

function Ticks({ bars }: { bars: readonly Bar[] }) {
  return (
    <div className="relative mt-1 h-[1.5em]">
      {tickedBars(bars.length).map((i) => (
        <span
          key={i}
          className="absolute -translate-x-1/2 whitespace-nowrap"
          style={{ left: `${((i + 0.5) / bars.length) * 100}%` }}
        >
          {bars[i]?.tick}
        </span>
      ))}
    </div>
  )
}

function Numbers({ label, bars, columns }: Pick<BarChartProps, 'label' | 'bars' | 'columns'>) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          <th scope="col" className="py-2 text-left font-normal">
            {columns[0]}
          </th>
          <th scope="col" className="py-2 text-right font-normal">
            {columns[1]}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map((it) => (
          <tr key={it.name} className="border-b border-line">
            <th scope="row" className="py-2 text-left font-normal">
              {it.name}
            </th>
            <td className="py-2 text-right">{it.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
