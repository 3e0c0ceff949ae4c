// Virtual time: everything that waits stands in one queue; time jumps to the next of them.

export interface Timeline {
  now(): number
  /** Calls back after `ms` of virtual time. Gives a way to take it back. */
  after(ms: number, work: () => void): () => void
  /** Runs until `until` says so, nothing is left, or virtual time passes `limit`. Says which. */
  run(until: () => boolean, limit: number): Promise<'until' | 'empty' | 'limit'>
}

/** A new timeline beginning at `start` ms. */
export function makeTimeline(start: number): Timeline {
  let now = start
  let order = 0
  let entries: { at: number; order: number; work: () => void }[] = []
  return {
    now: () => now,
    after(ms, work) {
      const entry = { at: now + Math.max(0, ms), order: order++, work }
      entries.push(entry)
      return () => {
        entries = entries.filter((it) => it !== entry)
      }
    },
    async run(until, limit) {
      for (;;) {
        await settle()
        if (until()) return 'until'
        const next = entries.reduce<(typeof entries)[number] | undefined>(
          (first, it) =>
            !first || it.at < first.at || (it.at === first.at && it.order < first.order) ? it : first,
          undefined,
        )
        if (!next) return 'empty'
        if (next.at > limit) return 'limit'
        entries = entries.filter((it) => it !== next)
        now = Math.max(now, next.at)
        next.work()
      }
    },
  }
}

/** Lets every promise that can go on do so. Nothing here waits for the real world, so two turns are enough. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  await new Promise<void>((resolve) => setImmediate(resolve))
}
