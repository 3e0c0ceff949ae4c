// When: a moment, said as people say it and kept true while the page stays open.
import { useSyncExternalStore } from 'react'

const EVERY = 30_000

let now = Date.now()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function watch(changed: () => void): () => void {
  if (watchers.size === 0) now = Date.now()
  watchers.add(changed)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const it of watchers) it()
  }, EVERY)
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const read = () => now

interface WhenProps {
  /** ISO 8601. */
  at: string
  /** The words for a moment, seen from now. */
  say: (at: string, now: number) => string
  /** The whole date and time, shown as a tip. */
  whole: string
}

export function When({ at, say, whole }: WhenProps) {
  const present = useSyncExternalStore(watch, read)
  return (
    <time dateTime={at} title={whole} className="whitespace-nowrap tabular-nums">
      {say(at, Math.max(present, Date.parse(at)))}
    </time>
  )
}
