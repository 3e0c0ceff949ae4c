// Virtual time: one queue of all delayed work; time jumps to the next entry.
import { isWaiting, runTasks } from './tasks.ts'

/** A slow disk completes its tasks after this, ms. */
const SLOW_MS = 4

/** Delayed work; time does not advance until its promise is settled. */
type Work = () => void | Promise<void>
interface Entry {
  at: number
  order: number
  work: Work
  cancelled: boolean
}

export interface Timeline {
  now(): number
  /** Runs work after `ms` of virtual time. Returns a function that cancels it. */
  after(ms: number, work: Work): () => void
  /** Runs until `until` returns true, no work is left, or virtual time passes `limit`; returns which. */
  run(until: () => boolean, limit: number): Promise<'until' | 'empty' | 'limit'>
}

/** A new timeline that begins at `start`, ms since 1970. */
export function createTimeline(start: number): Timeline {
  let now = start
  let order = 0
  /** A binary heap, the earliest entry first. */
  const heap: Entry[] = []
  return {
    now: () => now,
    after(ms, work) {
      const entry = { at: now + Math.max(0, ms), order: order++, work, cancelled: false }
      push(heap, entry)
      return () => {
        entry.cancelled = true
      }
    },
    async run(until, limit) {
      for (;;) {
        await runTasks()
        if (isWaiting()) push(heap, { at: now + SLOW_MS, order: order++, work: () => {}, cancelled: false })
        if (until()) return 'until'
        while (heap[0]?.cancelled) pop(heap)
        const [next] = heap
        if (!next) return 'empty'
        if (next.at > limit) {
          now = Math.max(now, limit)
          return 'limit'
        }
        pop(heap)
        now = Math.max(now, next.at)
        await next.work()
      }
    },
  }
}

const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

function push(heap: Entry[], entry: Entry): void {
  let i = heap.push(entry) - 1
  for (;;) {
    const parent = (i - 1) >> 1
    const above = heap[parent]
    if (i === 0 || !above || !before(entry, above)) break
    heap[i] = above
    i = parent
  }
  heap[i] = entry
}

function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let i = 0
  for (;;) {
    const [left, right] = [heap[2 * i + 1], heap[2 * i + 2]]
    const child = right && left && before(right, left) ? 2 * i + 2 : 2 * i + 1
    const below = heap[child]
    if (!below || !before(below, last)) break
    heap[i] = below
    i = child
  }
  heap[i] = last
}
