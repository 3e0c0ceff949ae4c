// TopLine: a thin line over the page while something loads; a quick load shows nothing.
import { useEffect, useState } from 'react'
import { cx } from './cx.ts'

interface TopLineProps {
  active: boolean
  label: string
  /** Nothing is shown before this, ms. */
  after: number
  /** How long the line takes to come near the end, ms. */
  duration: number
}

type Line = 'none' | 'running' | 'leaving'

export function TopLine({ active, label, after, duration }: TopLineProps) {
  const [line, setLine] = useState<Line>('none')
  useEffect(() => {
    if (active) {
      const timer = setTimeout(() => setLine('running'), after)
      return () => clearTimeout(timer)
    }
    setLine((now) => (now === 'running' ? 'leaving' : now))
    const timer = setTimeout(() => setLine('none'), 300)
    return () => clearTimeout(timer)
  }, [active, after])
  if (line === 'none') return null
  return (
    <div
      role="progressbar"
      aria-label={label}
      className="pointer-events-none fixed inset-x-0 top-0 z-70 h-[3px] overflow-hidden"
    >
      <div
        className={cx(
          'h-full origin-left bg-seal',
          line === 'running' ? 'animate-approach' : 'opacity-0 transition-opacity duration-240',
        )}
        style={{ animationDuration: `${duration}ms` }}
      />
    </div>
  )
}
