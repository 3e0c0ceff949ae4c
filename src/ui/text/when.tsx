// When: a relative time, updated while the page is open.
import { createStore, useStore } from '#src/lib/store.ts'

const EVERY = 30_000

const now = createStore(Date.now(), (set) => {
  const look = () => set(Date.now())
  look()
  const timer = setInterval(look, EVERY)
  return () => clearInterval(timer)
})

interface WhenProps {
  /** ISO 8601. */
  at: string
  /** Formats a time relative to the current time. */
  format: (at: string, now: number) => string
  /** The complete date and time, shown as a tooltip. */
  whole: string
}

export function When({ at, format, whole }: WhenProps) {
  const present = useStore(now)
  return (
    <time dateTime={at} title={whole} className="whitespace-nowrap tabular-nums">
      {format(at, Math.max(present, Date.parse(at)))}
    </time>
  )
}
