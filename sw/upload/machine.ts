// The queue's machine: what a job's facts call for next, and what an event makes of them. Pure.
import type { FieldCode } from '#contract/errors.ts'
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { FailureCode, JobFacts, MediaFacts } from '#device/schema.ts'

export type Step =
  /** Send this media's bytes; the server says from where. */
  | { do: 'send'; mediaId: string }
  /** Remove this media's bytes from the server. */
  | { do: 'discard'; mediaId: string }
  | { do: 'addPost' }
  | { do: 'release'; postId: string }
  /** The release is acknowledged: the device may forget the job. */
  | { do: 'finish'; postId: string; at: number }
  /** Cancelled and cleaned up: the device drops the job and keeps the draft. */
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** Facts about the past; one that comes too late changes nothing. */
export type QueueEvent =
  /** The server named the address of an upload (POST). */
  | { type: 'created'; mediaId: string; url: string }
  /** The server said how many bytes of a media it has (HEAD or PATCH). */
  | { type: 'accepted'; mediaId: string; offset: number }
  /** The server no longer knows an upload it once had. */
  | { type: 'gone'; mediaId: string }
  /** The server removed an upload, or never had it. */
  | { type: 'discarded'; mediaId: string }
  | { type: 'addTried' }
  | { type: 'postAdded'; postId: string; videoId: string | null }
  | { type: 'released'; at: number }
  /** The server says that these media's bytes are not those that were picked. */
  | { type: 'digestDiffered'; mediaIds: readonly string[] }
  /** The server says that uploads the post names are missing or unfinished. */
  | { type: 'uploadsDenied' }
  /** No answer, or one that says "later". `retryAfter` ms when the server told it; `jitter` is 0..1. */
  | { type: 'lost'; at: number; jitter: number; retryAfter?: number }
  | { type: 'refused'; code: FailureCode; fields?: Record<string, FieldCode> }
  /** The network or the person is back: waits that the server did not ask for are over. */
  | { type: 'nudged' }
  | { type: 'paused'; mediaId?: string }
  | { type: 'resumed'; mediaId?: string }
  | { type: 'retried' }
  | { type: 'cancelled' }

/** How often one media is sent again from its first byte before the job fails. */
const MAX_RESENDS = { digest: 1, gone: 3 } as const
const BACKOFF_MIN_MS = 10_000
const BACKOFF_MAX_MS = 5 * 60_000

/**
 * The next step of a job (resumable protocol: every media, then the post, then its release).
 * @param facts what is known
 * @param now milliseconds since 1970
 */
export function nextStep(facts: JobFacts, now: number): Step {
  const { ending } = facts
  if (ending.is === 'failed') return { do: 'wait', for: 'person' }
  if (ending.is === 'released') {
    return facts.post ? { do: 'finish', postId: facts.post.id, at: ending.at } : { do: 'wait', for: 'person' }
  }
  // What a cancelled job leaves on an unreachable server, the server removes by itself after 7 days.
  if (ending.is === 'cancelled' && facts.attempts > RETRY_DELAYS.length) return { do: 'drop' }
  if (facts.wait.until > now) return { do: 'wait', for: 'time', until: facts.wait.until }
  const unwanted = facts.media.find((it) => it.discard)
  if (unwanted) return { do: 'discard', mediaId: unwanted.id }
  if (ending.is === 'cancelled') return { do: 'drop' }
  const unsent = facts.media.filter((it) => !it.done)
  const next = unsent.find((it) => !it.paused)
  if (next) return { do: 'send', mediaId: next.id }
  if (unsent.length > 0) return { do: 'wait', for: 'person' }
  if (!facts.post) return { do: 'addPost' }
  return { do: 'release', postId: facts.post.id }
}

/** What an event makes of a job's facts. Gives the same object back when it changes nothing. */
export function apply(facts: JobFacts, event: QueueEvent): JobFacts {
  if (facts.ending.is !== 'open') return applyEnded(facts, event)
  switch (event.type) {
    case 'created':
      if (facts.post) return facts
      return change(facts, event.mediaId, (it) =>
        it.discard || it.url === event.url ? it : { ...it, url: event.url, begun: true },
      )
    case 'accepted':
      return accept(facts, event.mediaId, event.offset)
    case 'gone':
      return resend(facts, [event.mediaId], 'gone', 'gone')
    case 'discarded':
      return discarded(facts, event.mediaId)
    case 'addTried':
      return facts.addTried ? facts : { ...facts, addTried: true }
    case 'postAdded':
      if (facts.post) return facts
      return progressed({ ...facts, addTried: true, post: { id: event.postId, videoId: event.videoId } })
    case 'released':
      return facts.post ? { ...facts, ending: { is: 'released', at: event.at } } : facts
    case 'digestDiffered':
      return facts.post
        ? facts
        : resend({ ...facts, addTried: false }, event.mediaIds, 'digest', 'digest_mismatch')
    case 'uploadsDenied':
      return facts.post ? facts : denied(facts)
    case 'lost':
      return lost(facts, event)
    case 'refused':
      return {
        ...facts,
        // The server said no to the post for certain: there is none, and the draft may change.
        addTried: facts.post !== null,
        ending: { is: 'failed', code: event.code, ...(event.fields ? { fields: event.fields } : {}) },
      }
    case 'nudged':
      return facts.wait.told || facts.wait.until === 0 ? facts : { ...facts, wait: noWait }
    case 'paused':
      return pause(facts, event.mediaId, true)
    case 'resumed':
      return pause(facts, event.mediaId, false)
    case 'retried':
      return facts
    case 'cancelled':
      if (facts.addTried) return facts
      return {
        ...facts,
        media: facts.media.map((it) => ({ ...it, discard: it.begun || it.discard })),
        ending: { is: 'cancelled' },
        attempts: 0,
        wait: noWait,
      }
    default:
      return event satisfies never
  }
}

/** Whether the person can still take the job back: the post has not been asked for yet. */
export function canCancel(facts: JobFacts): boolean {
  return !facts.addTried && (facts.ending.is === 'open' || facts.ending.is === 'failed')
}

const noWait = { until: 0, told: false } as const

function applyEnded(facts: JobFacts, event: QueueEvent): JobFacts {
  const { ending } = facts
  if (ending.is === 'failed' && event.type === 'retried') {
    const media = facts.media.map((it) => ({ ...it, resends: { digest: 0, gone: 0 } }))
    return askAgain(progressed({ ...facts, media, ending: { is: 'open' } }))
  }
  if (ending.is === 'failed' && event.type === 'cancelled' && !facts.addTried) {
    return apply({ ...facts, ending: { is: 'open' } }, event)
  }
  if (ending.is !== 'cancelled') return facts
  // Cleaning up after a cancel: the server's bytes go; its refusals must not keep the job for ever.
  if (event.type === 'discarded') return discarded(facts, event.mediaId)
  if (event.type === 'lost') return lost(facts, event)
  if (event.type === 'refused')
    return { ...facts, media: facts.media.map((it) => ({ ...it, discard: false })) }
  if (event.type === 'nudged' && !facts.wait.told && facts.wait.until > 0) return { ...facts, wait: noWait }
  return facts
}

function change(facts: JobFacts, mediaId: string, to: (media: MediaFacts) => MediaFacts): JobFacts {
  let changed = false
  const media = facts.media.map((it) => {
    const next = it.id === mediaId ? to(it) : it
    changed ||= next !== it
    return next
  })
  return changed ? { ...facts, media } : facts
}

/** A step went through: the retry count starts anew. */
function progressed(facts: JobFacts): JobFacts {
  return { ...facts, attempts: 0, wait: noWait }
}

function accept(facts: JobFacts, mediaId: string, offset: number): JobFacts {
  const before = facts.media.find((it) => it.id === mediaId)
  // Once a post is made its bytes are settled; once they are unwanted the offset says nothing.
  if (!before || before.discard || facts.post) return facts
  const done = offset === before.size
  if (before.begun && before.acked === offset && before.done === done) return facts
  const next = change(facts, mediaId, (it) => ({
    ...it,
    acked: Math.min(offset, it.size),
    begun: true,
    done,
  }))
  return offset > before.acked || done ? progressed(next) : next
}

function discarded(facts: JobFacts, mediaId: string): JobFacts {
  const next = change(facts, mediaId, (it) =>
    it.discard ? { ...it, discard: false, acked: 0, begun: false, url: null, done: false } : it,
  )
  return next === facts ? facts : progressed(next)
}

/** The server lost these bytes or has wrong ones: send them again, unless that was tried too often. */
function resend(
  facts: JobFacts,
  mediaIds: readonly string[],
  why: 'digest' | 'gone',
  code: FailureCode,
): JobFacts {
  const hit = facts.media.filter((it) => mediaIds.includes(it.id) && !it.discard)
  if (facts.post || hit.length === 0) return facts
  if (hit.some((it) => it.resends[why] >= MAX_RESENDS[why])) {
    return { ...facts, addTried: false, ending: { is: 'failed', code } }
  }
  const media = facts.media.map((it) =>
    hit.includes(it)
      ? {
          ...it,
          acked: 0,
          begun: false,
          // The address is kept where the bytes there still have to be removed.
          url: why === 'digest' ? it.url : null,
          done: false,
          discard: why === 'digest',
          resends: { ...it.resends, [why]: it.resends[why] + 1 },
        }
      : it,
  )
  return { ...facts, media }
}

/** The post names uploads that the server says it has not whole: ask for each, but not for ever. */
function denied(facts: JobFacts): JobFacts {
  if (facts.media.length === 0 || facts.media.some((it) => it.resends.gone >= MAX_RESENDS.gone)) {
    return { ...facts, addTried: false, ending: { is: 'failed', code: 'upload_incomplete' } }
  }
  const media = facts.media.map((it) => ({ ...it, resends: { ...it.resends, gone: it.resends.gone + 1 } }))
  return askAgain({ ...facts, media })
}

/** Every upload's offset is asked for again before the post is; the server's word replaces ours. */
function askAgain(facts: JobFacts): JobFacts {
  if (facts.post) return facts
  return { ...facts, addTried: false, media: facts.media.map((it) => ({ ...it, done: false })) }
}

/** Waits 0, 1, 3, 5 s (specification section 9), then from 10 s doubling with jitter to 5 min. */
function lost(facts: JobFacts, event: Extract<QueueEvent, { type: 'lost' }>): JobFacts {
  const attempts = facts.attempts + 1
  if (event.retryAfter !== undefined) {
    return { ...facts, attempts, wait: { until: event.at + event.retryAfter, told: true } }
  }
  const early = RETRY_DELAYS[facts.attempts]
  const late = Math.min(
    BACKOFF_MAX_MS,
    BACKOFF_MIN_MS * 2 ** Math.min(20, facts.attempts - RETRY_DELAYS.length),
  )
  const delay = early ?? late * (0.5 + event.jitter / 2)
  return { ...facts, attempts, wait: { until: event.at + Math.round(delay), told: false } }
}

function pause(facts: JobFacts, mediaId: string | undefined, paused: boolean): JobFacts {
  const hit = facts.media.some(
    (it) => (mediaId === undefined || it.id === mediaId) && it.paused !== paused && !it.done,
  )
  if (!hit) return facts
  const media = facts.media.map((it) =>
    (mediaId === undefined || it.id === mediaId) && !it.done ? { ...it, paused } : it,
  )
  return { ...facts, media, wait: facts.wait.told ? facts.wait : noWait }
}
