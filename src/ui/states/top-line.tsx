// TopLine: a thin line over the page while something loads; a quick load shows nothing.
import { cx } from '#src/ui/cx.ts'

interface TopLineProps {
  active: boolean
  /** Nothing is shown before this, ms. */
  after: number
  /** How long the line takes to come near the end, ms. */
  duration: number
}

export function TopLine({ active, after, duration }: TopLineProps) {
  return (
    <div
      aria-hidden
      className={cx(
        'pointer-events-none fixed inset-x-0 top-0 z-70 h-[3px] overflow-hidden transition-opacity',
        active ? 'opacity-100 duration-0' : 'opacity-0 duration-240',
      )}
      style={{ transitionDelay: active ? `${after}ms` : '0ms' }}
    >
      <div
        className={cx('h-full origin-left bg-seal', active && 'animate-approach')}
        style={active ? { animationDelay: `${after}ms`, animationDuration: `${duration}ms` } : {}}
      />
    </div>
  )
}
