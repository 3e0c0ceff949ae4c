// ProgressLine and ProgressRing: progress that never decreases on the screen.
import { cx } from '#src/ui/cx.ts'

interface ProgressProps {
  label: string
  /** 0 to 100. */
  value: number
  look?: 'seal' | 'ink' | 'good'
}

const tones = { seal: 'text-seal', ink: 'text-ink', good: 'text-good' } as const

const bounded = (value: number) => Math.min(100, Math.max(0, value))

const ariaOf = (label: string, value: number) =>
  ({
    role: 'progressbar',
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.floor(bounded(value)),
  }) as const

export function ProgressLine({ label, value, look = 'ink' }: ProgressProps) {
  return (
    <div
      {...ariaOf(label, value)}
      className={cx('h-1 w-full overflow-hidden rounded-pill bg-line forced-colors:outline', tones[look])}
    >
      <div
        className="marked-part h-full origin-left rounded-pill bg-current transition-[scale] duration-500 ease-linear"
        style={{ scale: `${bounded(value) / 100} 1` }}
      />
    </div>
  )
}

export function ProgressRing({ label, value, look = 'ink', size = 40 }: ProgressProps & { size?: number }) {
  return (
    <span {...ariaOf(label, value)} className={cx('relative inline-grid place-items-center', tones[look])}>
      <svg aria-hidden width={size} height={size} viewBox="0 0 40 40" className="-rotate-90">
        <circle cx="20" cy="20" r="17" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.25" />
        <circle
          cx="20"
          cy="20"
          r="17"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          pathLength={100}
          strokeDasharray="100"
          className="transition-[stroke-dashoffset] duration-500 ease-linear"
          style={{ strokeDashoffset: 100 - bounded(value) }}
        />
      </svg>
      <span aria-hidden className="absolute text-xs font-semibold tabular-nums">
        {Math.floor(bounded(value))}
      </span>
    </span>
  )
}
