// The queue's machine: what an event makes of a job's facts. Pure; what they call for next is in next-step.ts.
import type { FieldCode } from '#contract/errors.ts'
import type { FailureCode, JobFacts } from '#device/database/schema.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'
import {
  accept,
  change,
  discarded,
  endIfStuck,
  fail,
  forgive,
  noWait,
  pause,
  progressed,
} from './job-files.ts'
import { lost, tokenRefused } from './waits.ts'

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
  /** The one request of a job that is no post was answered; `id` is the server's name for what it made. */
  | { type: 'delivered'; id: string; at: number }
  /** The server says that these media's bytes are not those that were picked. */
  | { type: 'digestDiffered'; mediaIds: readonly string[] }
  /** The server says that uploads the post names are missing or unfinished. */
  | { type: 'uploadsDenied' }
  /** The server no longer has the post that it added for this job. */
  | { type: 'postGone' }
  /** The server did not accept the token; the job waits as after `lost`. */
  | { type: 'tokenRefused'; at: number; jitter: number }
  /** No answer, or one that says "later". `retryAfter` ms when the server told it; `jitter` is 0..1. */
  | { type: 'lost'; at: number; jitter: number; retryAfter?: number; why?: WaitReason }
  /** `mediaId` when it was one file that the server will not have. */
  | { type: 'refused'; code: FailureCode; fields?: Record<string, FieldCode>; mediaId?: string }
  /** The network or the person is back: waits that the server did not ask for are over. */
  | { type: 'nudged' }
  /** The person wants it sent now: every wait is over. */
  | { type: 'hurried' }
  | { type: 'paused'; mediaId?: string }
  | { type: 'resumed'; mediaId?: string }
  | { type: 'retried'; mediaId?: string }
  /** The person takes one file out of the post; the last one takes the job with it. */
  | { type: 'fileCancelled'; mediaId: string }
  /** The person takes the job back; `keep` leaves what was sent on the server, for the draft to be sent again. */
  | { type: 'cancelled'; keep?: true }
  /** The server took the post back, or has no such post. */
  | { type: 'withdrawn' }
  /** The server has released the post already: a lost answer had said so. */
  | { type: 'withdrawDenied'; at: number }

/** How often one media is sent again from its first byte before the job fails. */
const MAX_RESENDS = { digest: 1, gone: 3 } as const
/** How often a post that the server no longer has is added again before the job fails. */
const MAX_READDS = 2

/** What an event makes of a job's facts. Gives the same object back when it changes nothing. */
export function apply(facts: JobFacts, event: QueueEvent): JobFacts {
  if (facts.ending.is !== 'open') return applyEnded(facts, event)
  switch (event.type) {
    case 'created':
      if (facts.post) return facts
      return change(
        facts.wait.why || facts.wait.foreign ? { ...facts, wait: noWait } : facts,
        event.mediaId,
        (it) => (it.discard || it.url === event.url ? it : { ...it, url: event.url, begun: true }),
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
      return progressed({
        ...facts,
        media: facts.media.map((it) => (it.inside ? { ...it, acked: it.size, begun: true, done: true } : it)),
        addTried: true,
        post: { id: event.postId, videoId: event.videoId },
      })
    case 'released':
      return facts.post ? { ...facts, ending: { is: 'released', at: event.at } } : facts
    case 'delivered':
      if (facts.kind === 'post') return facts
      return { ...facts, ending: { is: 'delivered', id: event.id, at: event.at } }
    case 'digestDiffered':
      if (facts.post && !facts.addFirst) return facts
      return resend({ ...facts, addTried: facts.post !== null }, event.mediaIds, 'digest', 'digest_mismatch')
    case 'uploadsDenied':
      return facts.post && !facts.addFirst ? facts : denied(facts)
    case 'postGone':
      return addAgain(facts)
    case 'tokenRefused':
      return tokenRefused(facts, event)
    case 'lost':
      return lost(facts, event)
    case 'refused':
      if (event.mediaId !== undefined) return fail(facts, event.mediaId, event.code)
      return {
        ...facts,
        // The server said no to the post for certain: there is none, and the draft may change.
        addTried: facts.post !== null,
        ending: { is: 'failed', code: event.code, ...(event.fields ? { fields: event.fields } : {}) },
      }
    case 'nudged':
      return facts.wait.told || facts.wait.until === 0 ? facts : { ...facts, wait: noWait }
    case 'hurried':
      return facts.wait.until === 0 ? facts : { ...facts, wait: noWait }
    case 'paused':
      return pause(facts, event.mediaId, true)
    case 'resumed':
      return pause(facts, event.mediaId, false)
    case 'retried':
      return event.mediaId === undefined ? facts : forgive(facts, event.mediaId)
    case 'fileCancelled':
      return dropFile(facts, event.mediaId)
    case 'cancelled':
      if (!canCancel(facts)) return facts
      return {
        ...facts,
        media: facts.media.map((it) => ({
          ...it,
          discard: !facts.addFirst && !event.keep && (it.begun || it.discard),
        })),
        ending: { is: 'cancelled' },
        attempts: 0,
        wait: noWait,
      }
    case 'withdrawn':
    case 'withdrawDenied':
      return facts
    default:
      return event satisfies never
  }
}

/** Whether the person can take the job back now: no post is being asked for, or it is known and can be withdrawn. */
export function canCancel(facts: JobFacts): boolean {
  const asking = facts.addTried && !facts.post
  return !asking && (facts.ending.is === 'open' || facts.ending.is === 'failed')
}

function applyEnded(facts: JobFacts, event: QueueEvent): JobFacts {
  const { ending } = facts
  if (ending.is === 'failed' && event.type === 'retried') {
    const media = facts.media.map((it) => ({ ...it, resends: { digest: 0, gone: 0 } }))
    const { readds: _, ...again } = facts
    return askAgain(progressed(forgive({ ...again, media, ending: { is: 'open' } }, event.mediaId)))
  }
  if (ending.is === 'failed' && event.type === 'fileCancelled' && !facts.addTried) {
    return dropFile(progressed({ ...facts, ending: { is: 'open' } }), event.mediaId)
  }
  if (ending.is === 'failed' && event.type === 'cancelled' && canCancel(facts)) {
    return apply({ ...facts, ending: { is: 'open' } }, event)
  }
  if (ending.is !== 'cancelled') return facts
  // Cleaning up after a cancel: the server's bytes go; its refusals must not keep the job for ever.
  if (event.type === 'discarded') return discarded(facts, event.mediaId)
  if (event.type === 'withdrawn') return progressed({ ...facts, addTried: false, post: null })
  if (event.type === 'withdrawDenied') {
    return facts.post ? { ...facts, ending: { is: 'released', at: event.at } } : facts
  }
  if (event.type === 'tokenRefused') return tokenRefused(facts, event)
  if (event.type === 'lost') return lost(facts, event)
  if (event.type === 'refused')
    return { ...facts, post: null, media: facts.media.map((it) => ({ ...it, discard: false })) }
  if (event.type === 'nudged' && !facts.wait.told && facts.wait.until > 0) return { ...facts, wait: noWait }
  return facts
}

function dropFile(facts: JobFacts, mediaId: string): JobFacts {
  const wanted = facts.media.some((it) => it.id === mediaId && !it.dropped)
  if (facts.addTried || !wanted) return facts
  if (!facts.media.some((it) => it.id !== mediaId && !it.dropped)) return apply(facts, { type: 'cancelled' })
  const media = facts.media.flatMap((it) => {
    if (it.id !== mediaId) return [it]
    return it.begun && !facts.addFirst ? [{ ...it, dropped: true, discard: true }] : []
  })
  return endIfStuck({ ...facts, media })
}

/** The server lost these bytes or has wrong ones: send them again, unless that was tried too often. */
function resend(
  facts: JobFacts,
  mediaIds: readonly string[],
  why: 'digest' | 'gone',
  code: FailureCode,
): JobFacts {
  const hit = facts.media.filter((it) => mediaIds.includes(it.id) && !it.discard && !it.dropped)
  if ((facts.post && !facts.addFirst) || hit.length === 0) return facts
  if (hit.some((it) => it.resends[why] >= MAX_RESENDS[why])) {
    return { ...facts, addTried: facts.post !== null, ending: { is: 'failed', code } }
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
          // By the legacy protocol the server itself forgets bytes that differ.
          discard: why === 'digest' && !facts.addFirst,
          resends: { ...it.resends, [why]: it.resends[why] + 1 },
        }
      : it,
  )
  // A legacy upload that is gone is gone with its post.
  return facts.addFirst && why === 'gone'
    ? { ...facts, media, addTried: false, post: null }
    : { ...facts, media }
}

/** The post names uploads that the server says it has not whole: ask for each, but not for ever. */
function denied(facts: JobFacts): JobFacts {
  if (facts.media.length === 0 || facts.media.some((it) => it.resends.gone >= MAX_RESENDS.gone)) {
    return { ...facts, addTried: facts.post !== null, ending: { is: 'failed', code: 'upload_incomplete' } }
  }
  const media = facts.media.map((it) => ({ ...it, resends: { ...it.resends, gone: it.resends.gone + 1 } }))
  return askAgain({ ...facts, media })
}

/** The server has lost the post, and may have lost its uploads too: each is asked for, then the post is added again. */
function addAgain(facts: JobFacts): JobFacts {
  if (!facts.post) return facts
  const readds = facts.readds ?? 0
  if (readds >= MAX_READDS) return { ...facts, ending: { is: 'failed', code: 'not_found' } }
  // By the legacy protocol the chunks went with it.
  const media = facts.media.map((it) =>
    facts.addFirst && !it.inside ? { ...it, acked: 0, begun: false, done: false } : it,
  )
  return askAgain({ ...facts, media, post: null, readds: readds + 1 })
}

/** Every upload's offset is asked for again before the post is; the server's word replaces ours. */
function askAgain(facts: JobFacts): JobFacts {
  if (facts.addFirst) {
    // A chunk that is there already changes nothing, and its answer says how many there are.
    const media = facts.media.map((it) => (it.inside ? it : { ...it, acked: 0, done: false }))
    return facts.post ? { ...facts, media } : { ...facts, addTried: false }
  }
  if (facts.post) return facts
  return { ...facts, addTried: false, media: facts.media.map((it) => ({ ...it, done: false })) }
}
