// The machine of a mutation: one request carries it out. Pure.
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import { applyRetry, isWaiting, progressed } from '#sw/queue/waits.ts'

export type MutationEvent =
  | CommonEvent
  /** The request is about to be sent. */
  | { type: 'requested' }
  | { type: 'delivered'; id: string; at: number }

export type MutationStep =
  | { do: 'request' }
  /** The server has answered: the device may delete the job. */
  | { do: 'finish'; id: string; at: number }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** The next step; `now` in ms since 1970. */
export function nextStep(job: MutationJob, now: number): MutationStep {
  const { stage } = job
  if (stage.is === 'failed') return { do: 'wait', for: 'person' }
  if (stage.is === 'delivered') return { do: 'finish', id: stage.id, at: stage.at }
  return isWaiting(job, now) ? { do: 'wait', for: 'time', until: job.wait.until } : { do: 'request' }
}

/** Applies an event to a mutation. A late event changes nothing and returns the same object. */
export function apply(job: MutationJob, event: MutationEvent): MutationJob {
  const { stage } = job
  if (stage.is === 'delivered') return job
  if (stage.is === 'failed')
    return event.type === 'retried' ? progressed({ ...job, stage: { is: 'open' } }) : job
  switch (event.type) {
    case 'requested':
      return stage.is === 'open' ? { ...job, stage: { is: 'requested' } } : job
    case 'delivered':
      return { ...job, stage: { is: 'delivered', id: event.id, at: event.at } }
    case 'refused': {
      const { code, fields } = event
      return { ...job, stage: { is: 'failed', code, ...(fields && { fields }) } }
    }
    // A mutation has no files: only another server can answer like this.
    case 'digestDiffered':
      return { ...job, stage: { is: 'failed', code: 'digest_mismatch' } }
    case 'uploadsDenied':
      return { ...job, stage: { is: 'failed', code: 'upload_incomplete' } }
    case 'lost':
    case 'tokenRefused':
    case 'nudged':
    case 'hurried':
      return applyRetry(job, event)
    // A mutation has no files, and is replaced or dismissed as a whole (device/mutations), never paused.
    case 'created':
    case 'accepted':
    case 'gone':
    case 'discarded':
    case 'fileRefused':
    case 'paused':
    case 'resumed':
    case 'retried':
    case 'fileCancelled':
    case 'cancelled':
      return job
    default:
      return event satisfies never
  }
}
