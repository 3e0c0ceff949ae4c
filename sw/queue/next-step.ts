// What a job's facts call for next. Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { JobFacts } from '#device/database/schema.ts'
import { LONGEST_TOLD_MS } from './waits.ts'

export type Step =
  /** Send this media's bytes; the server says from where. */
  | { do: 'send'; mediaId: string }
  /** Remove this media's bytes from the server. */
  | { do: 'discard'; mediaId: string }
  | { do: 'addPost' }
  /** Of jobs that one request delivers: everything it names is on the server. */
  | { do: 'deliver' }
  /** Its answer is here: the device may forget the job. */
  | { do: 'settle'; id: string; at: number }
  | { do: 'release'; postId: string }
  /** The release is acknowledged: the device may forget the job. */
  | { do: 'finish'; postId: string; at: number }
  /** Takes the added post back before it is released. */
  | { do: 'withdraw'; postId: string }
  /** Cancelled and cleaned up: the device drops the job and keeps the draft. */
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/**
 * The next step of a job. Resumable protocol: every media, then the post, then its release. Legacy protocol: the
 * post (with its images inside), then the video, then the release. Of a draft still being written: its media. Of an
 * identity check: its files, then the check. Of an act: itself.
 * @param facts what is known
 * @param now milliseconds since 1970
 */
export function nextStep(facts: JobFacts, now: number): Step {
  const { ending } = facts
  if (ending.is === 'failed') return { do: 'wait', for: 'person' }
  if (ending.is === 'released') {
    return facts.post ? { do: 'finish', postId: facts.post.id, at: ending.at } : { do: 'wait', for: 'person' }
  }
  if (ending.is === 'delivered') return { do: 'settle', id: ending.id, at: ending.at }
  // What a cancelled job leaves on an unreachable server, the server removes by itself after 7 days.
  // A post is taken back for certain: it holds its uploads, and the draft may want them again.
  if (ending.is === 'cancelled' && !facts.post && facts.attempts > RETRY_DELAYS.length) return { do: 'drop' }
  if (isWaiting(facts, now)) return { do: 'wait', for: 'time', until: facts.wait.until }
  if (ending.is === 'cancelled' && facts.post) return { do: 'withdraw', postId: facts.post.id }
  const unwanted = facts.media.find((it) => it.discard)
  if (unwanted) return { do: 'discard', mediaId: unwanted.id }
  if (ending.is === 'cancelled') return { do: 'drop' }
  const unsent = facts.media.filter((it) => !it.done && !it.dropped)
  const next = unsent.find((it) => !it.paused && !it.failed)
  if (facts.early) return next ? { do: 'send', mediaId: next.id } : { do: 'wait', for: 'person' }
  if (facts.addFirst && !facts.post && (next || unsent.length === 0)) return { do: 'addPost' }
  if (next) return { do: 'send', mediaId: next.id }
  if (unsent.length > 0) return { do: 'wait', for: 'person' }
  switch (facts.kind) {
    case 'post':
      return facts.post ? { do: 'release', postId: facts.post.id } : { do: 'addPost' }
    case 'identity':
    case 'act':
      return { do: 'deliver' }
    default:
      return facts.kind satisfies never
  }
}

// What lies further ahead was noted by a clock that was wrong, or by a build that followed any `Retry-After`.
function isWaiting({ wait }: JobFacts, now: number): boolean {
  return wait.until > now && wait.until <= now + LONGEST_TOLD_MS
}
