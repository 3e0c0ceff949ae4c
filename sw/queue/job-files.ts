// Changes to single files among a job's facts. Pure; each gives the same object back when it changes nothing.
import type { FailureCode, JobFacts, MediaFacts } from '#device/database/schema.ts'

export const noWait = { until: 0, told: false } as const

export function change(facts: JobFacts, mediaId: string, to: (media: MediaFacts) => MediaFacts): JobFacts {
  let changed = false
  const media = facts.media.map((it) => {
    const next = it.id === mediaId ? to(it) : it
    changed ||= next !== it
    return next
  })
  return changed ? { ...facts, media } : facts
}

/** A step went through: the retry count starts anew. */
export function progressed(facts: JobFacts): JobFacts {
  return { ...facts, attempts: 0, wait: noWait }
}

export function accept(facts: JobFacts, mediaId: string, offset: number): JobFacts {
  const before = facts.media.find((it) => it.id === mediaId)
  // Once a post is made its bytes are settled; once they are unwanted the offset says nothing.
  if (!before || before.discard || (facts.post && !facts.addFirst)) return facts
  const done = offset === before.size
  if (before.begun && before.acked === offset && before.done === done) return facts
  const next = change(facts, mediaId, (it) => ({
    ...it,
    acked: Math.min(offset, it.size),
    begun: true,
    done,
  }))
  return endIfStuck(offset > before.acked || done ? progressed(next) : next)
}

export function fail(facts: JobFacts, mediaId: string, code: FailureCode): JobFacts {
  return endIfStuck(progressed(change(facts, mediaId, (it) => ({ ...it, failed: code }))))
}

/** A refused file, or every one, may be tried again. */
export function forgive(facts: JobFacts, mediaId: string | undefined): JobFacts {
  const hit = (it: MediaFacts) => it.failed !== null && (mediaId === undefined || it.id === mediaId)
  if (!facts.media.some(hit)) return facts
  return { ...facts, media: facts.media.map((it) => (hit(it) ? { ...it, failed: null } : it)) }
}

/** With a refused file nothing can be posted: once there is nothing else to send, the job waits for the person. */
export function endIfStuck(facts: JobFacts): JobFacts {
  const live = facts.media.filter((it) => !it.dropped)
  const failed = live.find((it) => it.failed)?.failed
  return failed && live.every((it) => it.done || it.failed)
    ? { ...facts, ending: { is: 'failed', code: failed } }
    : facts
}

export function discarded(facts: JobFacts, mediaId: string): JobFacts {
  const next = change(facts, mediaId, (it) =>
    it.discard ? { ...it, discard: false, acked: 0, begun: false, url: null, done: false } : it,
  )
  if (next === facts) return facts
  return progressed({ ...next, media: next.media.filter((it) => !(it.dropped && it.id === mediaId)) })
}

export function pause(facts: JobFacts, mediaId: string | undefined, paused: boolean): JobFacts {
  const hit = facts.media.some(
    (it) => (mediaId === undefined || it.id === mediaId) && it.paused !== paused && !it.done,
  )
  if (!hit) return facts
  const media = facts.media.map((it) =>
    (mediaId === undefined || it.id === mediaId) && !it.done ? { ...it, paused } : it,
  )
  return { ...facts, media, wait: facts.wait.told ? facts.wait : noWait }
}
